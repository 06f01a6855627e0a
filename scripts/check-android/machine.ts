import { readFile } from 'node:fs/promises';
import { shellError } from './docker.js';
import { docker } from '../../test/fixtures/engines/docker.js';

/** Flags of processors that can run virtual machines: Intel's, and AMD's. */
const FLAGS = ['vmx', 'svm'];

/** Opens a device to read and write, as the emulator will. */
const OPEN = 'const fs=require("fs");fs.closeSync(fs.openSync(process.argv[1],"r+"))';

/** Says which flag a processor has; `cpuinfo`: what Linux says of the processors. @throws Error if there is none */
export function processorFlag(cpuinfo: string): string {
  const flags = new Set(/^flags\s*:(.*)$/m.exec(cpuinfo)?.[1]?.trim().split(/\s+/));
  const found = FLAGS.find(flag => flags.has(flag));
  if (found !== undefined) return `The processors have ${found}.`;
  throw new Error(
    `The processors have none of the flags ${FLAGS.join(' and ')}: they cannot run virtual machines, or this machine is one itself and may not.`,
  );
}

/** The flag of this machine's processors. */
export const ownFlag = async () => processorFlag(await readFile('/proc/cpuinfo', 'utf8'));

/** Where and as whom a device is opened. */
export interface Opening {
  image: string;
  device: string;
  /** Number of the group that the session's user is in besides its own. */
  group: number | null;
  /** Name of the container, which is gone afterwards. */
  container: string;
}

/** Opens a device in a container as sessions' user, who has no rights but its group's. @throws Error */
export async function opens({ image, device, group, container }: Opening): Promise<string> {
  if (group === null)
    throw new Error(
      `${device} is missing, or its group is root's or may not read and write it; BERTH_ANDROID_KVM_GROUP names the group on machines of other engines.`,
    );
  const user = ['--user', '1000:1000', '--group-add', String(group), '--cap-drop', 'ALL'];
  const closed = ['--security-opt', 'no-new-privileges', '--read-only', '--network', 'none', '--pull', 'never'];
  const args = [...user, ...closed, '--device', `${device}:${device}:rw`, '--entrypoint', 'node'];
  await docker('run', '--rm', '--name', container, ...args, image, '-e', OPEN, device).catch((error: unknown) => {
    throw new Error(`The session's user cannot open ${device}: ${shellError(error)}`);
  });
  return `The session's user, in the group ${group}, can open ${device}.`;
}
