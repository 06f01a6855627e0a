import type { MakeCall } from '../../protocol/make-call.js';
import type { BerthSession } from './berth-session.js';
import { remoteAndroid } from './android.js';
import { RemoteConsole } from './console.js';
import { SessionTerminatedError, TimedOutError } from './errors.js';
import { MountedSession } from './mounted.js';
import { checkOptions, type BerthOptions, type ConnectionState } from './options.js';
import { safely } from '../lib/safely.js';
import { Session } from './session.js';
import type { SessionEvents } from './session-events.js';
import { connectionState } from './connection/status.js';
import { remoteTabs, type RemoteTabs } from './tabs.js';

const DEFAULT_TIMEOUT_MS = 2000;

/**
 * Shows a session in `container`, a `div` that gets an open shadow root. Resolves when the service has admitted the
 * viewer; the session may still be starting then.
 * @param embedURL the session's `embed_url`
 * @throws TypeError for invalid arguments
 * @throws TimedOutError if the service does not answer within `options.timeout` milliseconds
 * @throws SessionTerminatedError if the session has ended or does not admit this viewer
 */
export default async function Berth(
  container: HTMLElement,
  embedURL: string,
  options: BerthOptions = {},
): Promise<BerthSession> {
  if (!(container instanceof HTMLElement)) throw new TypeError('container must be a div');
  checkOptions(options);
  const timeout = options.timeout ?? DEFAULT_TIMEOUT_MS;
  const answer = new Answer();
  const call: MakeCall = (method, args) => session.call(method, args);
  const tabs = remoteTabs(call);
  const console = new RemoteConsole(call);
  const android = remoteAndroid({ call, upload: file => session.files.upload(file) });
  const session = new Session(container, embedURL, options, eventsOf(options, answer, { tabs, console }));
  const timer = setTimeout(() => answer.is(new TimedOutError(`the session did not answer in ${timeout} ms`)), timeout);
  try {
    session.connect();
    const error = await answer.given;
    if (error !== null) throw error;
    return new MountedSession(session, { tabs: tabs.tabs, console, android });
  } catch (error) {
    session.stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The result of mounting: null if the viewer was admitted. */
class Answer {
  readonly given: Promise<Error | null>;
  is!: (error: Error | null) => void;

  constructor() {
    this.given = new Promise(resolve => (this.is = resolve));
  }
}

/** Components that receive the session's events. */
interface Remotes {
  tabs: RemoteTabs;
  console: RemoteConsole;
}

/** Calls the integrator's callbacks for events. */
function eventsOf(options: BerthOptions, answer: Answer, { tabs, console }: Remotes): SessionEvents {
  let told: ConnectionState | null = null;
  return {
    joined: () => answer.is(null),
    status: status => {
      if (status.is === 'ended') {
        const { type, message, code } = status.ending;
        answer.is(new SessionTerminatedError(type, message, code));
      }
      const state = connectionState(status);
      const changed = state !== told;
      told = state;
      if (changed) safely(() => options.onConnectionStateChange?.({ state }));
      if (status.is === 'ended') {
        const { type, code } = status.ending;
        safely(() => options.onDisconnect?.({ type, ...(code === undefined ? {} : { code }) }));
      }
    },
    warning: warning => safely(() => options.onCloseWarning?.(warning)),
    access: access => safely(() => options.onAccessChange?.(access)),
    message: message => {
      switch (message.type) {
        case 'event':
          return tabs.happened(message.name, message.args);
        case 'seats':
          console.told(message);
          return safely(() => options.onSeats?.(console.seats));
        case 'game':
          console.runs(message);
          return safely(() => options.onGameState?.(console.gameState));
        case 'pointer': {
          const { user_id: userId, x = null, y = null } = message;
          return safely(() => options.onCursor?.({ x, y, userId }));
        }
        default:
      }
    },
  };
}
