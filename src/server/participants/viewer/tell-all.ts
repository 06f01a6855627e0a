import type { ToViewer } from '../../../protocol/generated/schemas.js';
import type { Viewer } from './viewer.js';

/** Tells viewers the same. It is put into words once, however many they are. */
export function tellAll(viewers: Iterable<Pick<Viewer, 'say'>>, message: ToViewer): void {
  let words: Buffer | undefined;
  for (const viewer of viewers) viewer.say((words ??= Buffer.from(JSON.stringify(message))));
}
