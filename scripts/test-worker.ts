/**
 * Runs the bundled test files that its parent names, in sequence, and writes TAP. Requests the next one with a message,
 * and exits when told to or when the parent is gone.
 */
import { enter, root } from './lib/current-test.js';
import { changes, processState } from './lib/process-state.js';

/** A test file to run. */
export interface Order {
  /** Its name in the output. */
  name: string;
  /** URL of its bundle. */
  url: string;
  /** Time limit, milliseconds. */
  timeoutMs: number;
  /** Whether others may follow it in the same process, which it must therefore leave as it found it. */
  isShared: boolean;
}

root.setTimeout(0);
process.on('message', (order: Order | 'end') => void (order === 'end' ? process.disconnect() : run(order)));
// tap unreferences the channel to the parent.
const stay = setInterval(() => undefined, 2 ** 30);
process.once('disconnect', () => {
  clearInterval(stay);
  root.end();
});
askForNext();

async function run({ name, url, timeoutMs, isShared }: Order): Promise<void> {
  const before = processState();
  await root.test(name, { timeout: timeoutMs }, async t => {
    enter(t);
    await import(url);
  });
  const changed = isShared ? changes(before, processState()) : [];
  for (const change of changed) root.fail(`${name} leaves ${change} other than it was`);
  askForNext();
}

function askForNext(): void {
  // Where the parent is gone nobody has another.
  if (process.connected) process.send?.('next');
}
