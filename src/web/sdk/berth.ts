import type { BerthSession } from './berth-session.js';
import { SessionTerminatedError, TimedOutError } from './errors.js';
import { MountedSession } from './mounted.js';
import { checkOptions, type BerthOptions, type ConnectionState } from './options.js';
import { safely } from './safely.js';
import { Session, type SessionEvents } from './session.js';
import { connectionState } from './status.js';
import { remoteTabs, type RemoteTabs } from './tabs.js';

const DEFAULT_TIMEOUT_MS = 2000;

/**
 * Shows a session in `container`, a `div` that gets an open shadow root. Resolves when the service has let the viewer
 * in; the session may still be starting then.
 * @param embedURL the session's `embed_url`
 * @throws TypeError for arguments that cannot be used
 * @throws TimedOutError where the service does not answer in `options.timeout` milliseconds
 * @throws SessionTerminatedError where the session has ended or does not let this viewer in
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
  const remote = remoteTabs((method, args) => session.call(method, args));
  const session = new Session(container, embedURL, options, eventsOf(options, answer, remote));
  const timer = setTimeout(() => answer.is(new TimedOutError(`the session did not answer in ${timeout} ms`)), timeout);
  try {
    session.connect();
    const error = await answer.given;
    if (error !== null) throw error;
    return new MountedSession(session, remote.tabs);
  } catch (error) {
    session.stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** What became of mounting: null where the viewer was let in. */
class Answer {
  readonly given: Promise<Error | null>;
  is!: (error: Error | null) => void;

  constructor() {
    this.given = new Promise(resolve => (this.is = resolve));
  }
}

/** Turns what happens into the integrator's calls. */
function eventsOf(options: BerthOptions, answer: Answer, remote: RemoteTabs): SessionEvents {
  let told: ConnectionState | null = null;
  return {
    joined: () => answer.is(null),
    status: status => {
      if (status.is === 'ended') answer.is(new SessionTerminatedError(status.ending.type, status.ending.message));
      const state = connectionState(status);
      const changed = state !== told;
      told = state;
      if (changed) safely(() => options.onConnectionStateChange?.({ state }));
      if (status.is === 'ended') {
        const { type } = status.ending;
        safely(() => options.onDisconnect?.({ type }));
      }
    },
    warning: warning => safely(() => options.onCloseWarning?.(warning)),
    access: access => safely(() => options.onAccessChange?.(access)),
    message: message => {
      if (message.type === 'event') return remote.happened(message.name, message.args);
      if (message.type !== 'pointer') return;
      const { user_id: userId, x = null, y = null } = message;
      safely(() => options.onCursor?.({ x, y, userId }));
    },
  };
}
