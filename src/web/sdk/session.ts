import type { CallArguments, CallName, CallResult } from '../../protocol/calls.js';
import type { FromViewer, ToViewer, Welcome } from '../../protocol/generated/schemas.js';
import { MessageType } from '../../protocol/message-type.js';
import type { AudioAssets, AudioState } from '../media/audio/audio-player.js';
import { parseEmbedUrl } from './connection/address.js';
import { Calls } from './connection/calls.js';
import { CopiedContent } from './clipboard/copied.js';
import { SessionClipboard } from './clipboard/session-clipboard.js';
import { endingOf, type Ending } from './connection/close-reason.js';
import { Connection } from './connection/connection.js';
import type { Sentence } from '../languages/texts.js';
import { listenUntil } from '../lib/dom.js';
import { Files } from './files.js';
import { SessionInput } from './input/session-input.js';
import { encodeText, parseText } from '../../protocol/viewer-messages.js';
import { warningOf } from './close-warning.js';
import { mediaOptions } from './media-options.js';
import type { BerthOptions } from './options.js';
import { accessOf, type Access } from './permissions.js';
import { Playback } from '../media/playback.js';
import { RecentUse } from '../media/recent-use.js';
import { PrivacyState } from './privacy.js';
import { PointerShape } from './view/pointer-shape.js';
import { safely } from '../lib/safely.js';
import { statusText, type SessionStatus } from './connection/status.js';
import type { SessionEvents } from './session-events.js';
import { View } from './view/view.js';
import { ViewerTexts } from './viewer-texts.js';

/** The session shown in each container. */
const mounted = new WeakMap<HTMLElement, Session>();

/** One viewer of one session: its video, audio and input. */
export class Session {
  readonly view: View;
  readonly files: Files;
  readonly input: SessionInput;
  readonly #connection: Connection;
  readonly #events: SessionEvents;
  readonly #options: BerthOptions;
  readonly #playback: Playback;
  readonly clipboard: SessionClipboard;
  readonly #copied: CopiedContent;
  readonly #texts: ViewerTexts;
  readonly #calls = new Calls(call => this.#connection.send(encodeText(call)));
  readonly #shape: PointerShape;
  readonly #privacy = new PrivacyState(privacy => this.#events.privacy?.(privacy));
  readonly #listening = new AbortController();
  #status: SessionStatus = { type: 'connecting' };
  #userId: string | null = null;
  #kind: Welcome['kind'] | undefined;
  #ticket: string | null = null;
  #adminToken: string | undefined;
  #hasControl = false;
  #display = { width: 0, height: 0, max_area: 0 };
  /** Between the welcome and the last message of the initial state. */
  #isWelcome = false;

  /**
   * @param assets where modules for audio are, if not at the service
   * @throws TypeError if the container or the URL is invalid
   */
  constructor(
    container: HTMLElement,
    embedUrl: unknown,
    options: BerthOptions,
    events: SessionEvents,
    assets: Partial<AudioAssets> = {},
  ) {
    const address = parseEmbedUrl(embedUrl, location.href);
    this.#options = options;
    this.#events = events;
    this.#adminToken = options.adminToken;
    mounted.get(container)?.stop();
    mounted.set(container, this);
    this.view = new View(container);
    this.view.cursors.shown = options.showCursors ?? false;
    this.view.persists = options.persistScreen ?? false;
    this.#texts = new ViewerTexts(options.lang, `${address.service}/assets`, texts => (this.view.texts = texts));
    this.#shape = new PointerShape(css => (this.view.cursor = css));
    this.#connection = new Connection(address, {
      opened: () => void this.#join(),
      text: text => this.#control(parseText(text)),
      binary: bytes => this.#binary(bytes),
      lost: () => this.#lost(),
      ended: ending => this.#end(ending),
    });
    this.files = new Files(
      () => ({ base: address.base, ticket: this.#ticket }),
      (method, args) => this.call(method, args),
    );
    const tell = (sentence: Sentence) => this.tell(sentence);
    this.clipboard = new SessionClipboard({
      send: message => this.#connection.send(message),
      upload: (form, signal) => this.files.setClipboard(form, signal),
      tell,
    });
    this.#copied = new CopiedContent({
      view: this.view,
      picture: id => this.files.copiedPicture(id),
      tell,
      written: content => this.clipboard.copied(content),
    });
    const use = new RecentUse();
    this.input = new SessionInput(this.view, options, this.#connection, use, this.clipboard);
    this.#playback = new Playback(mediaOptions(options, address.service, assets), use, {
      picture: element => (this.view.picture = element),
      shown: () => this.#shown(),
      unplayable: sentence => this.#set({ type: 'unplayable', sentence }),
      limitation: tell,
      sound: state => this.#sound(state),
      send: message => this.#connection.send(message),
    });
    this.#listen();
  }

  get status(): SessionStatus {
    return this.#status;
  }

  get userId(): string | null {
    return this.#userId;
  }

  /** Undefined before the first admission. */
  get kind(): Welcome['kind'] | undefined {
    return this.#kind;
  }

  get rtt(): number | null {
    return this.#connection.rtt;
  }

  get display(): { width: number; height: number; max_area: number } {
    return this.#display;
  }

  get sound(): AudioState {
    return this.#playback.sound;
  }

  get adminToken(): string | undefined {
    return this.#adminToken;
  }

  set adminToken(token: string | undefined) {
    this.#adminToken = token;
    if (token !== undefined) this.send({ type: 'admin', admin_token: token });
  }

  get volume(): number {
    return this.#playback.volume;
  }

  set volume(volume: number) {
    this.#playback.volume = volume;
  }

  /** In milliseconds. */
  get playoutDelay(): number {
    return this.#playback.playoutDelay;
  }

  set playoutDelay(delay: number) {
    this.#playback.playoutDelay = delay;
  }

  get isInputDisabled(): boolean {
    return this.input.isDisabled;
  }

  set isInputDisabled(isDisabled: boolean) {
    this.input.isDisabled = isDisabled;
    this.#shape.hasControl = isDisabled || this.#hasControl;
  }

  get videoPaused(): boolean {
    return this.#playback.videoPaused;
  }

  set videoPaused(paused: boolean) {
    this.#playback.videoPaused = paused;
  }

  /** Opens the connection, or reopens it. */
  connect(): void {
    if (this.#listening.signal.aborted) return;
    this.#playback.interrupt();
    this.input.release();
    this.#calls.abandon();
    this.view.cursors.clear();
    this.#status = { type: this.#userId === null ? 'connecting' : 'reconnecting' };
    this.#statusChanged();
    this.#connection.connect();
  }

  /** Tells the viewer a sentence, in its language. */
  tell(sentence: Sentence): void {
    this.#texts.tell(sentence, told => this.#events.limitation?.(told));
  }

  /** Sends a control message. */
  send(message: FromViewer): void {
    this.#connection.send(encodeText(message));
  }

  /** Makes a call to the session; resolves with the result's value. @throws CallError */
  call<M extends CallName>(method: M, args: CallArguments<M>): Promise<CallResult<M>> {
    return this.#calls.call(method, args);
  }

  /** Starts audio blocked by the browser; must be called while handling a click. */
  allowSound(): Promise<void> {
    return this.#playback.allowSound();
  }

  /** Leaves the session and restores the page. */
  stop(): void {
    if (this.#listening.signal.aborted) return;
    this.#listening.abort();
    this.input.stop();
    this.#connection.stop();
    this.#calls.abandon();
    this.#playback.stop();
    this.#copied.stop();
    this.clipboard.stop();
    this.view.stop();
  }

  #listen(): void {
    const listen = listenUntil(this.#listening.signal);
    listen(window, 'online', () => this.#connection.hurry());
    listen(document, 'visibilitychange', () => !document.hidden && this.#connection.hurry());
    for (const type of ['blur', 'copy', 'cut']) listen(window, type, () => this.clipboard.left(), { capture: true });
    // Any click or key press is the user gesture that browsers require for audio.
    for (const type of ['pointerdown', 'keydown']) {
      listen(window, type, () => this.sound === 'blocked' && void this.allowSound(), { capture: true });
    }
  }

  async #join(): Promise<void> {
    const subscription = await this.#playback.initialSubscription();
    this.send({
      type: 'join',
      ...subscription,
      ...(this.#options.onFileChooser !== undefined ? { files: true } : {}),
      ...(this.#ticket === null ? {} : { ticket: this.#ticket }),
      ...(this.input.pads === null ? {} : { seats: this.input.pads.players }),
      ...(this.#adminToken === undefined ? {} : { admin_token: this.#adminToken }),
      ...(this.#options.name === undefined ? {} : { name: this.#options.name }),
      ...(this.#options.webhookUserdata === undefined ? {} : { userdata: this.#options.webhookUserdata }),
    });
  }

  #control(message: ToViewer | null): void {
    if (message === null) return;
    switch (message.type) {
      case 'welcome':
        this.#connection.joined();
        this.#userId = message.user_id;
        this.#privacy.welcome(message.user_id);
        this.#kind = message.kind;
        this.#ticket = message.ticket ?? null;
        this.#shape.isHidden = message.hide_cursor ?? false;
        this.input.welcome(message);
        this.clipboard.welcome(message);
        this.#isWelcome = true;
        if (this.#status.type === 'connecting') this.#set({ type: 'starting' });
        if (!this.#playback.wantsVideo) this.#shown();
        break;
      case 'session':
        this.#sessionState(message);
        break;
      case 'display':
        this.#display = message;
        this.view.display = message;
        this.#playback.display = message;
        this.#joined();
        break;
      case 'access':
        this.#setAccess(accessOf(message));
        break;
      case 'seats':
        this.input.seat(message, this.#userId);
        break;
      case 'pointer':
        this.view.cursors.move(message);
        break;
      case 'users':
        this.view.cursors.people = message;
        break;
      case 'privacy':
        this.#privacy.update(message);
        if (!this.#isWelcome) this.#privacySettled();
        break;
      case 'pointers':
        for (const pointer of message.pointers)
          if (pointer.user_id !== this.#userId) this.#control({ type: 'pointer', ...pointer });
        break;
      case 'result':
        this.#calls.answered(message);
        break;
      case 'clipboard':
        this.clipboard.copied();
        void this.#copied.copied(message);
        break;
      case 'copied':
        this.clipboard.copied();
        break;
      case 'notice':
        // The session has it nevertheless.
        if (message.code === 'copy_too_large') this.clipboard.copied();
        break;
      case 'warning':
        this.#events.warning?.(warningOf(message));
        break;
      case 'end':
        this.#end(endingOf(message.reason, message.message, message.code));
        break;
      default:
    }
    this.#events.message?.(message);
  }

  #setAccess(access: Access): void {
    this.clipboard.hasControl = access.control;
    this.#hasControl = access.control;
    this.#shape.hasControl = this.input.isDisabled || access.control;
    this.#events.access?.(access);
  }

  /** The display is the last message of the initial state. */
  #joined(): void {
    if (!this.#isWelcome) return;
    this.#isWelcome = false;
    const { audioTrackCb, videoTrackCb } = this.#options;
    const video = this.#playback.openVideoTrack();
    if (video !== null) safely(() => videoTrackCb?.(video));
    const audio = audioTrackCb === undefined ? null : this.#playback.openAudioTrack();
    if (audio !== null) safely(() => audioTrackCb?.(audio));
    this.#events.joined?.();
    this.#privacySettled();
  }

  /** It is known whether somebody else has the session in private, in which case there is no picture to wait for. */
  #privacySettled(): void {
    if (this.#privacy.hidden) this.#shown();
    this.view.status = statusText(this.#status, this.#privacy.hidden);
    this.#privacy.settle();
  }

  #sessionState({ state, ...progress }: Extract<ToViewer, { type: 'session' }>): void {
    const { type } = this.#status;
    if (state === 'starting' && type !== 'playing') this.#set({ ...progress, type: 'starting' });
    else if (state === 'restarting') this.#set({ ...progress, type: 'restarting' });
    else if (state === 'running' && type === 'restarting') this.#set({ type: 'playing' });
  }

  #binary(bytes: Uint8Array): void {
    if (bytes[0] === MessageType.cursor) this.#shape.update(bytes);
    else this.#playback.play(bytes);
  }

  #shown(): void {
    if (['connecting', 'starting', 'reconnecting'].includes(this.#status.type)) this.#set({ type: 'playing' });
  }

  #lost(): void {
    this.#playback.interrupt();
    this.view.cursors.clear();
    this.#calls.abandon();
    this.input.release();
    if (['playing', 'restarting', 'starting'].includes(this.#status.type)) this.#set({ type: 'reconnecting' });
  }

  #end(ending: Ending): void {
    this.#connection.stop();
    this.#calls.abandon();
    this.#playback.interrupt();
    this.#set({ type: 'ended', ending });
  }

  #set(status: SessionStatus): void {
    if (this.#status.type === 'ended' || (this.#status.type === 'unplayable' && status.type !== 'ended')) return;
    this.#status = status;
    this.#statusChanged();
  }

  #statusChanged(): void {
    this.input.isOpen = this.#status.type === 'playing';
    this.view.status = statusText(this.#status, this.#privacy.hidden);
    this.#events.status?.(this.#status);
  }

  #sound(state: AudioState): void {
    this.view.askForSound(state === 'blocked' && this.volume > 0 ? () => void this.allowSound() : null);
    this.#events.sound?.(state);
  }
}
