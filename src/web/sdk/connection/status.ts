import type { Loaded, SessionStep } from '../../../protocol/generated/schemas.js';
import type { Sentence } from '../../languages/texts.js';
import type { Ending } from './close-reason.js';
import type { ConnectionState } from '../options.js';
import type { StatusText } from '../view/view.js';

/** What the session waits for, as the service says. */
interface Progress {
  message?: string | undefined;
  step?: SessionStep | undefined;
  loaded?: Loaded | undefined;
}

/** The session status shown to the viewer. */
export type SessionStatus =
  | { type: 'connecting' }
  /** Joined; the picture is not there yet. */
  | ({ type: 'starting' } & Progress)
  | { type: 'playing' }
  /** Joined; something in the session is being started again. */
  | ({ type: 'restarting' } & Progress)
  | { type: 'reconnecting' }
  | { type: 'unplayable'; sentence: Sentence }
  | { type: 'ended'; ending: Ending };

/** The text for it. `isHidden`: somebody else has the session in private. */
export function statusText(status: SessionStatus, isHidden: boolean): StatusText {
  switch (status.type) {
    case 'connecting':
      return { sentence: ({ say }) => say('connecting'), look: 'busy' };
    case 'starting':
    case 'restarting':
      return { sentence: progress(status), look: 'busy' };
    case 'reconnecting':
      return { sentence: ({ say }) => say('reconnecting'), look: 'busy' };
    case 'unplayable':
      return { sentence: status.sentence, look: 'over' };
    case 'ended':
      return { sentence: status.ending.sentence, look: 'over' };
    case 'playing':
      return isHidden ? { sentence: ({ say }) => say('hiddenByPrivacy'), look: 'private' } : null;
  }
}

/** What the service says of it, if anything. */
const progress =
  ({ type, message, step, loaded }: Extract<SessionStatus, Progress>): Sentence =>
  texts => {
    if (message === undefined) return texts.say(type);
    return texts.translated(`step_${step}`, message, loaded && { progress: share(loaded, texts.language) });
  };

/** How much has been loaded: a part of the whole if that is known. */
function share({ received, total }: Loaded, language: string): string {
  if (total !== undefined) return new Intl.NumberFormat(language, { style: 'percent' }).format(received / total);
  const megabytes = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, megabytes).format(received / 1e6);
}

/** The state reported to integrators. */
export function connectionState(status: SessionStatus): ConnectionState {
  switch (status.type) {
    case 'connecting':
    case 'starting':
      return 'connecting';
    case 'playing':
    case 'restarting':
      return 'playing';
    case 'reconnecting':
      return 'reconnecting';
    case 'unplayable':
    case 'ended':
      return 'failed';
  }
}
