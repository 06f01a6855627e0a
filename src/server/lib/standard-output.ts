import { fstatSync, readlinkSync } from 'node:fs';
import { LineWriter, type Rotation } from './line-writer.js';

const FD = 1;

/** Size at which a file that is the standard output is rotated, where `BERTH_LOG_ROTATE` is set, as `make up` does. */
const MAX_BYTES = 20 << 20;

let writer: LineWriter | undefined;

/** The one writer of this process's standard output. */
export function standardOutput(): LineWriter {
  if (writer !== undefined) return writer;
  const isFile = fstatSync(FD).isFile();
  // Node.js makes a pipe or socket non-blocking when it opens it, which it does on first use: otherwise a reader that
  // stalls would hold one of the few threads that also serve files and the store.
  if (!isFile) void process.stdout;
  writer = new LineWriter(FD, isFile && process.env['BERTH_LOG_ROTATE'] ? rotation() : null);
  return writer;
}

function rotation(): Rotation | null {
  try {
    return { path: readlinkSync(`/proc/self/fd/${FD}`), maxBytes: MAX_BYTES, keep: 1, inPlace: true };
  } catch {
    return null;
  }
}
