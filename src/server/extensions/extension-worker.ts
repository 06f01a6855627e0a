/** A thread that checks the package of one extension and tells what it found. */
import { parentPort, workerData } from 'node:worker_threads';
import { checkExtension } from './check.js';
import { ExtensionError } from './errors.js';

/** What was found: where the zip archive begins in the package, or why it is refused. */
export type Finding = { start: number } | { failure: ExtensionError['failure']; message: string };

const { buffer, byteOffset, byteLength } = workerData as Uint8Array;
parentPort?.postMessage(await find(Buffer.from(buffer, byteOffset, byteLength)));

async function find(archive: Buffer): Promise<Finding> {
  try {
    const zip = await checkExtension(archive);
    return { start: archive.length - zip.length };
  } catch (error) {
    if (error instanceof ExtensionError) return { failure: error.failure, message: error.message };
    throw error;
  }
}
