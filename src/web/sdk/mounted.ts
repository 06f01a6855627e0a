import type { CallName } from '../../protocol/calls.js';
import type { PageAndroid } from './android.js';
import type { BerthSession, PendingSession } from './berth-session.js';
import type { RemoteConsole } from './console.js';
import type { GameConsole, GameState, Seat } from '../../protocol/api/console.js';
import type { Welcome } from '../../protocol/generated/schemas.js';
import type { Point } from '../lib/geometry.js';
import type { SessionDialogs } from './dialogs.js';
import type { SessionFiles } from './files.js';
import type { ConsoleControls } from './pad/console-pads.js';
import { checkSetting, playoutDelayMs } from './options.js';
import { checkList, checkUserId, type Permissions, type Role } from './permissions.js';
import { MoveThrottle } from './input/move-throttle.js';
import { SentInput, type BerthEvent } from './input/send-event.js';
import type { Session } from './session.js';
import type { Tabs } from '../../protocol/api/tabs.js';
import type { BrowserWindows } from '../../protocol/api/windows.js';

const MIN_SIDE = 160;
const MAX_SIDE = 4096;

/** Minimum interval between keep-alives, ms. */
const PING_INTERVAL_MS = 1000;

/** Members that only sessions of some kinds have. */
interface KindMembers {
  tabs: Tabs;
  windows: BrowserWindows;
  dialogs: SessionDialogs;
  console: RemoteConsole;
  android: PageAndroid;
}

/** The calls of viewers that are no part of a kind's object; integrators alone assign seats. */
type OwnCall = Exclude<CallName, `${string}.${string}` | 'seats'>;

/**
 * The public members of a session, which validate their arguments. It has those of all kinds, since its kind is not known
 * before the service has admitted the viewer.
 */
export class MountedSession implements PendingSession, Record<OwnCall, unknown> {
  readonly joined: Promise<BerthSession>;
  readonly tabs: Tabs;
  readonly windows: BrowserWindows;
  readonly dialogs: SessionDialogs;
  readonly console: GameConsole;
  readonly android: PageAndroid;
  readonly #session: Session;
  readonly #console: RemoteConsole;
  readonly #moves: MoveThrottle;
  readonly #sent = new SentInput();
  #pingedAt = -Infinity;

  /** @param admitted resolves when the service admits the viewer, and rejects if it never will */
  constructor(session: Session, { tabs, windows, dialogs, console, android }: KindMembers, admitted: Promise<void>) {
    this.#session = session;
    this.tabs = tabs;
    this.windows = windows;
    this.dialogs = dialogs;
    this.android = android;
    this.console = console.game;
    this.#console = console;
    this.#moves = new MoveThrottle(point => session.input.send({ type: 'move', ...point }));
    this.joined = admitted.then(() => this as unknown as BerthSession);
    // The container says so, too.
    this.joined.catch(() => undefined);
  }

  /** Undefined before the first admission. */
  get kind(): Welcome['kind'] | undefined {
    return this.#session.kind;
  }

  get userId(): string {
    return this.#session.userId ?? '';
  }

  get adminToken(): string | undefined {
    return this.#session.adminToken;
  }

  set adminToken(token: string | undefined) {
    if (token !== undefined && typeof token !== 'string') throw new TypeError('adminToken must be a string');
    this.#session.adminToken = token;
  }

  get volume(): number {
    return this.#session.volume;
  }

  set volume(volume: number) {
    checkSetting('volume', volume);
    this.#session.volume = volume;
  }

  get videoPaused(): boolean {
    return this.#session.videoPaused;
  }

  set videoPaused(paused: boolean) {
    checkSetting('videoPaused', paused);
    this.#session.videoPaused = paused;
  }

  get playoutDelay(): number {
    return this.#session.playoutDelay;
  }

  set playoutDelay(delay: number | boolean) {
    checkSetting('playoutDelay', delay);
    this.#session.playoutDelay = playoutDelayMs(delay);
  }

  get delegateKeyboard(): boolean {
    return this.#session.input.delegatesKeyboard;
  }

  set delegateKeyboard(delegates: boolean) {
    checkSetting('delegateKeyboard', delegates);
    this.#session.input.delegatesKeyboard = delegates;
  }

  get disableInput(): boolean {
    return this.#session.isInputDisabled;
  }

  set disableInput(isDisabled: boolean) {
    checkSetting('disableInput', isDisabled);
    this.#session.isInputDisabled = isDisabled;
  }

  get showCursors(): boolean {
    return this.#session.view.cursors.shown;
  }

  set showCursors(shown: boolean) {
    checkSetting('showCursors', shown);
    this.#session.view.cursors.shown = shown;
  }

  get isFocused(): boolean {
    return this.#session.view.focused;
  }

  get files(): SessionFiles {
    return this.#session.files;
  }

  get controls(): ConsoleControls | null {
    return this.#session.input.pads;
  }

  get width(): number {
    return this.#session.display.width;
  }

  get height(): number {
    return this.#session.display.height;
  }

  get maxArea(): number {
    return this.#session.display.max_area;
  }

  get rtt(): number | null {
    return this.#session.rtt;
  }

  get seats(): readonly Seat[] {
    return this.#console.seats;
  }

  get gameState(): GameState {
    return this.#console.gameState;
  }

  focus(): void {
    this.#session.view.focus();
  }

  blur(): void {
    this.#session.view.keys.blur();
    this.#session.input.release();
  }

  pointOf(event: { clientX: number; clientY: number }): Point & { inside: boolean } {
    return this.#session.view.pointOf(event);
  }

  setClipboard(text: string): void {
    if (typeof text !== 'string') throw new TypeError('text must be a string');
    this.#session.clipboard.set(text);
  }

  paste(): Promise<void> {
    return this.#session.input.pasteRead();
  }

  resize(width: number, height: number): void {
    for (const side of [width, height]) {
      const possible = Number.isInteger(side) && side >= MIN_SIDE && side <= MAX_SIDE;
      if (!possible) throw new TypeError(`width and height must be whole numbers from ${MIN_SIDE} to ${MAX_SIDE}`);
    }
    if (width * height > this.maxArea) throw new RangeError(`width times height must not exceed ${this.maxArea}`);
    this.#session.send({ type: 'resize', width, height });
  }

  async setPermissions(userId: string, permissions: Permissions): Promise<Permissions> {
    checkUserId(userId);
    if (typeof permissions !== 'object' || permissions === null) throw new TypeError('permissions must be an object');
    return this.#session.call('setPermissions', [userId, permissions]);
  }

  addRoles(userIds: string[], roles: Role[], exclusive = false): Promise<void> {
    return this.#changeRoles('addRoles', userIds, roles, exclusive);
  }

  removeRoles(userIds: string[], roles: Role[], exclusive = false): Promise<void> {
    return this.#changeRoles('removeRoles', userIds, roles, exclusive);
  }

  async disconnectUser(userId: string): Promise<void> {
    checkUserId(userId);
    await this.#session.call('disconnectUser', [userId]);
  }

  async enablePrivacyMode(userId: string): Promise<void> {
    checkUserId(userId);
    await this.#session.call('enablePrivacyMode', [userId]);
  }

  async disablePrivacyMode(): Promise<void> {
    await this.#session.call('disablePrivacyMode', []);
  }

  takeSeat(player?: number): Promise<readonly Seat[]> {
    return this.#console.changeSeats('takeSeat', player);
  }

  leaveSeat(player?: number): Promise<readonly Seat[]> {
    return this.#console.changeSeats('leaveSeat', player);
  }

  screenshot(width?: number): Promise<Blob> {
    return this.#session.files.screenshot(width);
  }

  sendEvent(event: BerthEvent): void {
    const inputs = this.#sent.inputsOf(event);
    const now = performance.now();
    for (const input of inputs) {
      if (input.type === 'move') {
        this.#moves.add(input, now);
      } else {
        this.#moves.flush(now);
        this.#session.input.send(input);
      }
    }
  }

  ping(): void {
    const now = performance.now();
    if (now - this.#pingedAt < PING_INTERVAL_MS) return;
    this.#pingedAt = now;
    this.#session.send({ type: 'keepAlive' });
  }

  reconnect(): void {
    this.#session.connect();
  }

  destroy(): void {
    this.#moves.stop();
    this.#session.stop();
  }

  async #changeRoles(
    method: 'addRoles' | 'removeRoles',
    userIds: string[],
    roles: Role[],
    exclusive: boolean,
  ): Promise<void> {
    checkList('userIds', userIds);
    checkList('roles', roles);
    if (typeof exclusive !== 'boolean') throw new TypeError('exclusive must be a boolean');
    await this.#session.call(method, [userIds, roles, exclusive]);
  }
}
