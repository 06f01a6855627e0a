import { readFile } from 'node:fs/promises';
import { DeviceProblem } from '../device/problem.js';
import { SDK } from './command.js';

/** The system image and emulator that the session's image contains. */
export interface Installed {
  /** Folder of the system image, below that of the SDK. */
  readonly image: string;
  /** Changes with the system image and the emulator. */
  readonly fingerprint: string;
}

/** Reads the description that the image's build has left. @throws DeviceProblem if there is no emulator */
export async function installed(): Promise<Installed> {
  try {
    const { image, fingerprint } = JSON.parse(await readFile(`${SDK}/berth.json`, 'utf8')) as Partial<Installed>;
    if (typeof image === 'string' && typeof fingerprint === 'string') return { image, fingerprint };
  } catch {
    // Treated like an empty one.
  }
  throw new DeviceProblem('emulator_failed', 'The image of this session has no emulator.');
}
