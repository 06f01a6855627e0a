import type { TerminationCode } from '../../../protocol/generated/schemas.js';
import { CloseCode } from '../../../protocol/message-type.js';
import type { Sentence } from '../../languages/texts.js';
import type { DisconnectType } from '../errors.js';

/** Why reconnecting to the session is impossible: a code for programs and a sentence for people. */
export interface Ending {
  type: DisconnectType;
  sentence: Sentence;
  /** What went wrong with an Android device. */
  code?: TerminationCode;
}

const TYPES: ReadonlySet<string> = new Set<DisconnectType>([
  ...(['request', 'inactive', 'absolute', 'offline', 'crashed', 'failed', 'kicked', 'unauthorized'] as const),
]);

/** @param message what the service says of it */
export const endingOf = (type: DisconnectType, message = '', code?: TerminationCode): Ending => ({
  type,
  sentence: texts => (message === '' ? texts.say(`ended_${type}`) : texts.translated(`code_${code}`, message)),
  ...(code === undefined ? {} : { code }),
});

/** The ending that a close code means; null if reconnecting makes sense. */
export function endingOfClose(code: number): Ending | null {
  switch (code) {
    case CloseCode.ended:
      return endingOf('request');
    case CloseCode.kicked:
      return endingOf('kicked');
    case CloseCode.protocol:
      return { type: 'failed', sentence: ({ say }) => say('invalidMessages') };
    case CloseCode.unauthorized:
      return endingOf('unauthorized');
    default:
      return null;
  }
}

/** The ending that the status address reports; null if reconnecting makes sense. */
export async function endingOfAnswer(answer: { status: number; json(): Promise<unknown> }): Promise<Ending | null> {
  switch (answer.status) {
    case 401:
    case 403:
      return endingOf('unauthorized');
    case 404:
      return { type: 'request', sentence: ({ say }) => say('noSuchSession') };
    case 409:
      return endingOf(reasonIn(await answer.json().catch(() => null)));
    default:
      return null;
  }
}

function reasonIn(body: unknown): DisconnectType {
  const reason = String((body as { termination_reason?: unknown } | null)?.termination_reason);
  return TYPES.has(reason) ? (reason as DisconnectType) : 'request';
}
