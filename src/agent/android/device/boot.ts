import { setTimeout as delay } from 'node:timers/promises';
import type { Shell } from '../../../adb/shell.js';

/** Milliseconds between questions. */
const INTERVAL = 500;

/** Resolves when the device has booted; rejects when the signal aborts, or the device is lost. */
export async function booted(shell: Shell, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if ((await shell.ask(['getprop', 'sys.boot_completed'])) === '1') return;
    await delay(INTERVAL, undefined, { signal });
  }
}
