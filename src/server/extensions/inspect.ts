import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { SerialQueue } from '../../lib/serial-queue.js';
import { ExtensionError } from './check.js';
import type { Finding } from './extension-worker.js';

/** How long a check may take, milliseconds. */
const TIMEOUT_MS = 10_000;

/** The worker's program lies beside this one, bundled or not. */
const WORKER = new URL(`./extension-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** One check at a time leaves the CPU to sessions. */
const checks = new SerialQueue();

/**
 * Checks an extension's package, `.zip` or `.crx`, in a worker thread, and returns it as the zip archive that agents
 * expect.
 * @throws ExtensionError
 */
export function inspectExtension(archive: Buffer): Promise<Buffer> {
  return checks.run(async () => {
    const finding = await ask(archive);
    if ('failure' in finding) throw new ExtensionError(finding.failure, finding.message);
    return archive.subarray(finding.start);
  });
}

function ask(archive: Buffer): Promise<Finding> {
  const worker = new Worker(WORKER, { workerData: archive });
  return new Promise<Finding>((resolve, reject) => {
    const late = new ExtensionError('extension_invalid', 'It takes too long to unpack.');
    const timer = setTimeout(() => reject(late), TIMEOUT_MS);
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', code => {
      clearTimeout(timer);
      reject(new Error(`The check of an extension ended with ${code}.`));
    });
  }).finally(() => void worker.terminate());
}
