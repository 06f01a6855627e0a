import { pathToFileURL } from 'node:url';
import type { Message } from '@jellybrick/dbus-next';
import { SessionBus, type Bus, type SessionBusOptions } from './session-bus.js';
import { acceptOf } from './accept.js';

const NAME = 'org.freedesktop.portal.Desktop';
const PATH = '/org/freedesktop/portal/desktop';
const FILE_CHOOSER = 'org.freedesktop.portal.FileChooser';
const REQUEST = 'org.freedesktop.portal.Request';
const PROPERTIES = 'org.freedesktop.DBus.Properties';

/** Version of the interface: from 3 on, programs ask it for folders. */
const VERSION = 3;

/** Results of a request. */
const DONE = 0;
const CANCELLED = 1;

/** A dialog in which a program wants files to be chosen. */
export interface FileDialog {
  /** Names the dialog for its answer. */
  readonly handle: string;
  readonly multiple: boolean;
  readonly directory: boolean;
  /** As in the `accept` attribute of an input. */
  readonly accept: string;
}

export interface FilePortalOptions extends Pick<SessionBusOptions, 'log' | 'env' | 'handover'> {
  /** A program asks for files: `answer` is awaited, unless this returns false. */
  readonly opened: (dialog: FileDialog) => boolean;
  /** It no longer does. */
  readonly closed: (handle: string) => void;
  /** Where a file with this name is to be saved. */
  readonly place: (name: string) => Promise<string>;
}

/**
 * The file dialogs of the desktop that the browser believes to be on, as the portal of xdg-desktop-portal offers them.
 * It takes the place of Chromium's own dialogs: those of inputs, of the File System Access API, and for saving.
 */
export class FilePortal {
  readonly #options: FilePortalOptions;
  readonly #bus: SessionBus;

  constructor(options: FilePortalOptions) {
    this.#options = options;
    this.#bus = new SessionBus({ ...options, name: NAME, called: (call, bus) => this.#called(call, bus) });
  }

  start(): void {
    this.#bus.start();
  }

  /** Resolves when programs find it, or will not do so soon. */
  whenUp(): Promise<void> {
    return this.#bus.whenUp();
  }

  stop(): Promise<void> {
    return this.#bus.stop();
  }

  /** Answers a dialog with what was chosen; null: it is cancelled. */
  answer(handle: string, paths: readonly string[] | null): void {
    const { bus } = this.#bus;
    if (bus === undefined) return;
    const { Message, Variant } = bus.dbus;
    const uris = (paths ?? []).map(path => pathToFileURL(path).href);
    const body = paths === null ? [CANCELLED, {}] : [DONE, { uris: new Variant('as', uris) }];
    bus.send(Message.newSignal(handle, REQUEST, 'Response', 'ua{sv}', body));
  }

  #called(call: Message, bus: Bus): boolean {
    const { Message, Variant } = bus.dbus;
    const isPortal = call.path === PATH;
    switch (`${call.interface}.${call.member}`) {
      case `${PROPERTIES}.Get`:
        if (!isPortal || call.body[0] !== FILE_CHOOSER || call.body[1] !== 'version') return false;
        bus.send(Message.newMethodReturn(call, 'v', [new Variant('u', VERSION)]));
        return true;
      case `${FILE_CHOOSER}.OpenFile`:
        return isPortal && this.#open(call, bus);
      case `${FILE_CHOOSER}.SaveFile`:
        return isPortal && this.#save(call, bus);
      case `${REQUEST}.Close`:
        bus.send(Message.newMethodReturn(call));
        this.#options.closed(call.path);
        return true;
      default:
        return false;
    }
  }

  #open(call: Message, bus: Bus): boolean {
    const options = optionsOf(call);
    const handle = requestOf(call, options);
    if (handle === undefined) return false;
    bus.send(bus.dbus.Message.newMethodReturn(call, 'o', [handle]));
    const isShown = this.#options.opened({
      handle,
      multiple: options['multiple'] === true,
      directory: options['directory'] === true,
      accept: acceptOf(globsOf(options['current_filter'])),
    });
    if (!isShown) this.answer(handle, null);
    return true;
  }

  /** Answered at once: there is one folder for what is saved. */
  #save(call: Message, bus: Bus): boolean {
    const options = optionsOf(call);
    const handle = requestOf(call, options);
    if (handle === undefined) return false;
    bus.send(bus.dbus.Message.newMethodReturn(call, 'o', [handle]));
    const name = options['current_name'];
    this.#options.place(typeof name === 'string' ? name : '').then(
      path => this.answer(handle, [path]),
      (error: unknown) => {
        this.#options.log.warn('no place to save a file', { error: String(error) });
        this.answer(handle, null);
      },
    );
    return true;
  }
}

/** The options of a call, its last argument, without the variants around them. */
function optionsOf({ body }: Message): Record<string, unknown> {
  const options = body[2];
  if (typeof options !== 'object' || options === null) return {};
  return Object.fromEntries(
    Object.entries(options as Record<string, { value?: unknown }>).map(([name, variant]) => [name, variant.value]),
  );
}

/** Path of a request's object, which the caller already listens to; undefined if it gave no valid name for it. */
function requestOf({ sender }: Message, { handle_token: token }: Record<string, unknown>): string | undefined {
  if (typeof token !== 'string' || !/^\w{1,255}$/.test(token)) return undefined;
  return `${PATH}/request/${sender.slice(1).replaceAll('.', '_')}/${token}`;
}

/** The patterns of a filter: a name, and pairs of which the first says that the second is one. */
function globsOf(filter: unknown): string[] {
  const patterns: unknown = Array.isArray(filter) ? filter[1] : undefined;
  if (!Array.isArray(patterns)) return [];
  return patterns.flatMap((pattern: unknown) =>
    Array.isArray(pattern) && pattern[0] === 0 && typeof pattern[1] === 'string' ? [pattern[1]] : [],
  );
}
