import type { Ending } from './close-reason.js';
import type { ConnectionState } from '../options.js';
import { PRIVACY_TEXT } from '../privacy.js';
import type { StatusText } from '../view/view.js';

/** The session status shown to the viewer. */
export type SessionStatus =
  | { type: 'connecting' }
  /** Joined; the picture is not there yet. */
  | { type: 'starting'; message: string | undefined }
  | { type: 'playing' }
  /** Joined; something in the session is being started again. */
  | { type: 'restarting'; message: string | undefined }
  | { type: 'reconnecting' }
  | { type: 'unplayable'; message: string }
  | { type: 'ended'; ending: Ending };

/** The text for it. `isHidden`: somebody else has the session in private. */
export function statusText(status: SessionStatus, isHidden: boolean): StatusText {
  switch (status.type) {
    case 'connecting':
      return { text: 'Connecting…', look: 'busy' };
    case 'starting':
      return { text: status.message ?? 'Starting…', look: 'busy' };
    case 'restarting':
      return { text: status.message ?? 'Restarting…', look: 'busy' };
    case 'reconnecting':
      return { text: 'Reconnecting…', look: 'busy' };
    case 'unplayable':
      return { text: status.message, look: 'over' };
    case 'ended':
      return { text: status.ending.message, look: 'over' };
    case 'playing':
      return isHidden ? { text: PRIVACY_TEXT, look: 'private' } : null;
  }
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
