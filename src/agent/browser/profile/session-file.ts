import { open, readdir } from 'node:fs/promises';

/** Chromium's session files: "SNSS", version i32, then commands of `size u16, id u8, payload`. */
const MAGIC = 0x53534e53;
const HEADER_BYTES = 8;
const TAB_NAVIGATION = 6;

/** A file without this command is incomplete, and Chromium ignores it. */
const INITIAL_STATE_MARKER = 255;

const READ_MAX_BYTES = 16 << 20;

/** Whether this session file contains tabs that Chromium can restore. */
export function hasTabs(file: Buffer): boolean {
  if (file.length < HEADER_BYTES || file.readUInt32LE(0) !== MAGIC) return false;
  let tabs = false;
  let complete = false;
  for (let at = HEADER_BYTES; at + 3 <= file.length;) {
    const size = file.readUInt16LE(at);
    const id = file[at + 2];
    if (size === 0) break;
    tabs ||= id === TAB_NAVIGATION;
    complete ||= id === INITIAL_STATE_MARKER;
    at += 2 + size;
  }
  return tabs && complete;
}

/** Whether the profile has tabs of an earlier run. */
export async function canRestore(profileFolder: string): Promise<boolean> {
  const folder = `${profileFolder}/Default/Sessions`;
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(name => name.startsWith('Session_'))) {
    if (hasTabs(await readStart(`${folder}/${name}`))) return true;
  }
  return false;
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path).catch(() => null);
  if (!file) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, READ_MAX_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
