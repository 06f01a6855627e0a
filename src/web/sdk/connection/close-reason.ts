import type { TerminationCode } from '../../../protocol/generated/schemas.js';
import { CloseCode } from '../../../protocol/message-type.js';
import type { DisconnectType } from '../errors.js';

/** Why reconnecting to the session is impossible: a code for programs and a sentence for people. */
export interface Ending {
  type: DisconnectType;
  message: string;
  /** What went wrong with an Android device. */
  code?: TerminationCode;
}

const SENTENCES: Record<DisconnectType, string> = {
  request: 'This session has ended.',
  inactive: 'This session has ended because of inactivity.',
  absolute: 'This session has reached its time limit.',
  offline: 'This session has ended because nobody was connected.',
  crashed: 'This session has stopped unexpectedly.',
  failed: 'This session has failed.',
  kicked: 'You were removed from this session.',
  unauthorized: 'You are not allowed to join this session. Ask for a new link.',
};

export const endingOf = (type: DisconnectType, message?: string, code?: TerminationCode): Ending => ({
  type,
  message: message === undefined || message === '' ? SENTENCES[type] : message,
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
      return endingOf('failed', 'The connection was closed because of invalid messages. Reload the page to try again.');
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
      return endingOf('request', 'There is no such session. It may have ended long ago.');
    case 409:
      return endingOf(reasonIn(await answer.json().catch(() => null)));
    default:
      return null;
  }
}

function reasonIn(body: unknown): DisconnectType {
  const reason = String((body as { termination_reason?: unknown } | null)?.termination_reason);
  return Object.hasOwn(SENTENCES, reason) ? (reason as DisconnectType) : 'request';
}
