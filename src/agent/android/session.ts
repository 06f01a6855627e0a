import { join } from 'node:path';
import type { FromAgent, LaunchAndroid } from '../../protocol/generated/schemas.js';
import type { ProfileContent } from '../profile/archive.js';
import type { ProgramParts, SessionProgram } from '../session-program.js';

/** A device that runs Android. */
export class AndroidSession implements SessionProgram<LaunchAndroid> {
  readonly #parts: ProgramParts;
  readonly content: ProfileContent = { folder: join('/tmp', 'android'), keeps: () => true };

  constructor(_launch: LaunchAndroid, parts: ProgramParts) {
    this.#parts = parts;
  }

  get current(): readonly FromAgent[] {
    return [];
  }

  start(): void {
    this.#parts.unplayable('This agent cannot run Android devices yet.');
  }

  launched(): void {}
  input(): void {}
  touch(): void {}
  pad(): void {}
  scroll(): void {}
  unlinked(): void {}
  displayLost(): void {}
  async stop(): Promise<void> {}
  async finish(): Promise<void> {}
}
