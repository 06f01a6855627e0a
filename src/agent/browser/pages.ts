import { processes } from '../process/identity.js';
import { send } from '../process/signals.js';
import { textOf } from './profile/text-of.js';

/** Ends the processes of all pages, so that Chromium waits neither for what they do nor for what they ask. */
export function endPages(): void {
  for (const { pid } of processes()) {
    if (textOf(`/proc/${pid}/cmdline`).includes('--type=renderer')) send(pid, 'SIGKILL');
  }
}
