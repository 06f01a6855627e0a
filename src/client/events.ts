import type { Client } from 'openapi-fetch';
import type { paths } from '../protocol/generated/openapi.js';
import { answer } from './answer.js';
import { BerthError } from './errors.js';
import type { EventsOptions, FeedEvent, LifecycleEvent } from './types.js';

/** After this long without a word the connection counts as lost, ms: the service says something every 15 s. */
const SILENCE_MS = 45_000;

/** Pauses before the feed is asked for again, ms. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;

/** Follows the events of sessions, and goes on after each loss of the connection. */
export async function* followEvents(
  calls: Client<paths>,
  options: EventsOptions,
): AsyncGenerator<FeedEvent, void, void> {
  const { signal, onMissed } = options;
  let cursor = options.after;
  let failures = 0;
  for (;;) {
    signal?.throwIfAborted();
    try {
      for await (const { id, event, data } of streamOf(await open(calls, options, cursor), signal)) {
        failures = 0;
        cursor = id;
        if (data === '') continue;
        if (event === 'missed') onMissed?.((JSON.parse(data) as { after: string }).after);
        else yield { ...(JSON.parse(data) as LifecycleEvent), cursor: id };
      }
    } catch (error) {
      signal?.throwIfAborted();
      // What will not pass by itself is the caller's to handle, and so is what it throws.
      if (!(error instanceof LostError || (error instanceof BerthError && isPassing(error)))) throw error;
      await pause(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures++, 10)), signal);
    }
  }
}

/** The connection to the service was lost. */
class LostError extends Error {
  override readonly name = 'LostError';
}

const isPassing = ({ status }: BerthError) => status === 429 || status >= 500;

async function open(
  calls: Client<paths>,
  { tenant_id, session_id, names, signal }: EventsOptions,
  cursor: string | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const query = {
    ...(tenant_id === undefined ? {} : { tenant_id }),
    ...(session_id === undefined ? {} : { session_id }),
    ...(names === undefined ? {} : { names: names.join(',') }),
  };
  const header = cursor === undefined ? {} : { 'Last-Event-ID': cursor };
  const outcome = await calls
    .GET('/v0/events', {
      params: { query, header },
      headers: { accept: 'text/event-stream' },
      parseAs: 'stream',
      ...(signal === undefined ? {} : { signal }),
    })
    .catch((error: unknown) => {
      throw new LostError('The service cannot be reached.', { cause: error });
    });
  return answer<ReadableStream<Uint8Array>>(outcome as never);
}

interface Message {
  /** The ID that came last. */
  id: string;
  event: string;
  /** Empty: only the ID is new. */
  data: string;
}

/** The messages of server-sent events. @throws LostError at the end of the stream */
async function* streamOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Message, void, void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  try {
    let [text, id] = ['', ''];
    for (;;) {
      const { value, done } = await heard(reader.read(), signal);
      if (done) throw new LostError('The service ended the answer.');
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = new Map(block.split('\n').map(line => fieldOf(line)));
        id = fields.get('id') ?? id;
        yield { id, event: fields.get('event') ?? '', data: fields.get('data') ?? '' };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The name and the value of a line. */
function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

/** What is read next. @throws LostError if that takes too long, or fails; the reason of the signal */
async function heard<T>(reading: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  const interrupted = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LostError('The service is silent.')), SILENCE_MS);
    abort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort);
  });
  const read = reading.catch((error: unknown) => {
    throw new LostError('The connection was lost.', { cause: error });
  });
  try {
    return await Promise.race([read, interrupted]);
  } finally {
    clearTimeout(timer);
    if (abort !== undefined) signal?.removeEventListener('abort', abort);
  }
}

/** Waits, or throws the reason of the signal. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
