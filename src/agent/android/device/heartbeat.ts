import { setTimeout as delay } from 'node:timers/promises';
import type { Shell } from '../../../adb/shell.js';

/** Milliseconds between questions, and that a device may take to answer one. */
const INTERVAL = 5000;
const PATIENCE = 8000;

/** Rejects when a device no longer answers, though its connection is open, or when the signal aborts. */
export async function silence(shell: Shell, signal: AbortSignal): Promise<never> {
  for (;;) {
    await delay(INTERVAL, undefined, { signal });
    await shell.run(['true'], PATIENCE);
  }
}
