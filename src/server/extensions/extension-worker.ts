/** A worker thread that checks one extension's package and reports the result. */
import { parentPort, workerData } from 'node:worker_threads';
import { checkExtension, ExtensionError } from './check.js';

/** The result: the offset of the zip archive in the package, or why it is refused. */
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
