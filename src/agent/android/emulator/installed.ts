import { readFile } from 'node:fs/promises';
import { DeviceProblem } from '../device/problem.js';
import { SDK } from './command.js';

/** What the image of the session has. */
export interface Installed {
  /** Folder of the system image, below that of the SDK. */
  readonly image: string;
  /** Changes with the system image and the emulator. */
  readonly fingerprint: string;
}

/** Reads what the image's recipe has noted. @throws DeviceProblem if there is no emulator */
export async function installed(): Promise<Installed> {
  try {
    const { image, fingerprint } = JSON.parse(await readFile(`${SDK}/berth.json`, 'utf8')) as Partial<Installed>;
    if (typeof image === 'string' && typeof fingerprint === 'string') return { image, fingerprint };
  } catch {
    // As if it said nothing.
  }
  throw new DeviceProblem('emulator_failed', 'The image of this session has no emulator.');
}
