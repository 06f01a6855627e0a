import type { Readable } from 'node:stream';

const TAIL_BYTES = 400;

/** Drains a stream and keeps its last text, to explain why a program died. */
export function tailOf(stream: Readable | null): () => string {
  let text = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => (text = (text + chunk).slice(-TAIL_BYTES)));
  stream?.on('error', () => undefined);
  return () => text.trim();
}
