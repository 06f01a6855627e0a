import type { ToViewer } from '../../protocol/generated/schemas.js';
import type { MakeCall } from '../../protocol/make-call.js';
import { ENGLISH_TEXTS, type Sentence } from '../languages/texts.js';
import type { Point, Size } from '../lib/geometry.js';
import { safely } from '../lib/safely.js';
import type { AudioAssets } from '../media/audio/audio-player.js';
import { remoteAndroid } from './android.js';
import type { BerthSession, PendingSession } from './berth-session.js';
import { connectionState, type SessionStatus } from './connection/status.js';
import { RemoteConsole } from './console.js';
import { dialogsOf, remoteDialogs } from './dialogs.js';
import { CallError, SessionTerminatedError, TimedOutError } from './errors.js';
import { MountedSession } from './mounted.js';
import { checkOptions, type BerthOptions, type ConnectionState } from './options.js';
import { Session } from './session.js';
import type { SessionEvents } from './session-events.js';
import { remoteWindows } from '../../protocol/remote-windows.js';
import { UserList } from './users.js';
import { remoteTabs, type RemoteTabs } from './tabs.js';
import type { View } from './view/view.js';

const DEFAULT_TIMEOUT_MS = 2000;

/**
 * Shows a session in `container`, a `div` that gets an open shadow root. Resolves when the service has admitted the
 * viewer; the session may still be starting then. On failure it leaves nothing behind.
 * @param container a `div`
 * @param embedURL the session's `embed_url`
 * @param options all are optional
 * @throws TypeError for invalid arguments
 * @throws TimedOutError if the service does not answer within `options.timeout` milliseconds
 * @throws SessionTerminatedError if the session has ended or does not admit this viewer
 */
export async function Berth(
  container: HTMLElement,
  embedURL: string,
  options: BerthOptions = {},
): Promise<BerthSession> {
  const session = mount(container, embedURL, options);
  const { timeout = DEFAULT_TIMEOUT_MS } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOutError(`the session did not answer in ${timeout} ms`)), timeout);
  });
  try {
    return await Promise.race([session.joined, late]);
  } catch (error) {
    session.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Shows a session in `container` at once, as the player page does: until there is video, and when the session is over,
 * the container says so. Unlike `Berth` it tries for as long as it takes.
 * @param container a `div`
 * @param embedURL the session's `embed_url`
 * @param options all are optional; `timeout` has no meaning
 * @throws TypeError for invalid arguments
 */
export function mount(container: HTMLElement, embedURL: string, options: BerthOptions = {}): PendingSession {
  return mountWith(container, embedURL, options);
}

/** As `mount`. @param assets where modules for audio are, if not at the service */
export function mountWith(
  container: HTMLElement,
  embedURL: string,
  options: BerthOptions,
  assets: Partial<AudioAssets> = {},
): MountedSession {
  if (!(container instanceof HTMLElement)) throw new TypeError('container must be a div');
  checkOptions(options);
  const call: MakeCall = (method, args) => session.call(method, args);
  const tabs = remoteTabs(call);
  const windows = remoteWindows(call);
  const console = new RemoteConsole(call);
  const dialogs = remoteDialogs(call);
  const android = remoteAndroid({ call, upload: file => session.files.upload(file) });
  const admission = new Admission();
  const placeOf = (point: Point) => session.view.placeOf(point);
  const tell = (sentence: Sentence) => session.tell(sentence);
  const events = eventsOf(options, admission, { tabs, console, placeOf, tell });
  const session = new Session(container, embedURL, options, events, assets);
  const mounted = new MountedSession(session, { tabs: tabs.tabs, windows, dialogs, console, android }, admission.given);
  session.connect();
  return mounted;
}

const noticeOf =
  ({ code, message }: { code: string; message: string }): Sentence =>
  texts =>
    texts.translated(`notice_${code}`, message);

/** Whether the service admits the viewer. */
class Admission {
  readonly given: Promise<void>;
  give!: () => void;
  refuse!: (error: Error) => void;

  constructor() {
    this.given = new Promise((resolve, reject) => {
      this.give = resolve;
      this.refuse = reject;
    });
  }
}

/** Components that receive the session's events. */
interface Remotes {
  tabs: RemoteTabs;
  console: RemoteConsole;
  /** Where a position on the display is in the page's viewport. */
  placeOf: View['placeOf'];
  /** Tells the viewer a sentence, in its language. */
  tell: Session['tell'];
}

/** Calls the integrator's callbacks for events. */
function eventsOf(
  options: BerthOptions,
  admission: Admission,
  { tabs, console, placeOf, tell }: Remotes,
): SessionEvents {
  let reported: ConnectionState | null = null;
  const users = new UserList(options);
  let isSilenceReported = false;
  let size: Size = { width: 0, height: 0 };
  const onStatus = (status: SessionStatus) => {
    if (status.type === 'ended') {
      const { type, sentence, code } = status.ending;
      admission.refuse(new SessionTerminatedError(type, sentence(ENGLISH_TEXTS), code));
    }
    const state = connectionState(status);
    const changed = state !== reported;
    reported = state;
    if (changed) safely(() => options.onConnectionStateChange?.({ state }));
    if (status.type === 'ended') {
      const { type, code } = status.ending;
      safely(() => options.onDisconnect?.({ type, ...(code === undefined ? {} : { code }) }));
    }
  };
  const onMessage = (message: ToViewer) => {
    switch (message.type) {
      case 'event':
        return tabs.dispatch(message.name, message.args);
      case 'users':
        return users.update(message);
      case 'seats':
        console.updateSeats(message);
        return safely(() => options.onSeats?.(console.seats));
      case 'game':
        console.updateGame(message);
        return safely(() => options.onGameState?.(console.gameState));
      case 'discs':
        console.updateDiscs(message);
        return safely(() => options.onGameState?.(console.gameState));
      case 'pointer': {
        const { user_id: userId, x = null, y = null } = message;
        const place = x === null || y === null ? { clientX: null, clientY: null } : placeOf({ x, y });
        return safely(() => options.onCursor?.({ x, y, ...place, userId }));
      }
      case 'download': {
        const { id, name, size } = message;
        return safely(() => options.onDownload?.({ id, name, size }));
      }
      case 'welcome':
        // An open file chooser and dialogs are announced again.
        safely(() => options.onFileChooser?.(null));
        return safely(() => options.onDialogs?.([]));
      case 'dialogs':
        return safely(() => options.onDialogs?.(dialogsOf(message.dialogs)));
      case 'file_chooser': {
        const { open, multiple = false, directory = false, accept = '' } = message;
        return safely(() => options.onFileChooser?.(open ? { multiple, directory, accept } : null));
      }
      case 'windows':
        return safely(() => options.onWindows?.(message.windows));
      case 'device':
        if (!message.sound && !isSilenceReported) tell(({ say }) => say('deviceSilent'));
        isSilenceReported ||= !message.sound;
        return;
      case 'notice':
        return tell(noticeOf(message));
      case 'display': {
        const { width, height } = message;
        const isSame = width === size.width && height === size.height;
        size = { width, height };
        return isSame ? undefined : safely(() => options.onResize?.({ width, height }));
      }
      case 'refused':
        if (message.code === 'clipboard_too_large') tell(noticeOf(message));
        return safely(() => options.onError?.(new CallError(message.code, message.message)));
      default:
    }
  };
  return {
    joined: () => admission.give(),
    status: onStatus,
    warning: warning => safely(() => options.onCloseWarning?.(warning)),
    access: access => safely(() => options.onAccessChange?.(access)),
    privacy: privacy => safely(() => options.onPrivacyChange?.(privacy)),
    limitation: sentence => safely(() => options.onNotice?.(sentence)),
    message: onMessage,
  };
}
