import { isDeepStrictEqual } from 'node:util';
import type {
  CloseWarning,
  DeviceState,
  Discs,
  GameState,
  Seats,
  SessionState,
} from '../../../protocol/generated/schemas.js';
import { costOf, Pace } from './pace.js';
import { tellAll, type Viewer } from './viewer.js';

/** Minimum interval between two of the same kind, ms, and how many may follow each other more quickly. */
const INTERVAL_MS = 100;
const BURST = 10;

type State = SessionState | DeviceState | GameState | Discs | Seats;

/**
 * What all viewers of a session are told of its state, of which the newest is enough: of each kind, on average, at most
 * ten times a second. Those who join later are told what is in force.
 */
export class News {
  readonly #viewers: ReadonlySet<Viewer>;
  readonly #newest = new Map<State['type'], State>();
  readonly #paces = new Map<State['type'], Pace>();
  #session: SessionState = { type: 'session', state: 'starting' };
  #warning: CloseWarning | undefined;
  #device: DeviceState | undefined;

  constructor(viewers: ReadonlySet<Viewer>) {
    this.#viewers = viewers;
  }

  get session(): SessionState {
    return this.#session;
  }

  set session(session: SessionState) {
    this.#session = session;
    this.tell(session);
  }

  /** What is in force, for who joins. */
  get device(): DeviceState | undefined {
    return this.#device;
  }

  get warning(): CloseWarning | undefined {
    return this.#warning;
  }

  /** What the session's device is like. */
  deviceIs(device: DeviceState): void {
    if (isDeepStrictEqual(device, this.#device)) return;
    this.#device = device;
    this.tell(device);
  }

  /** When the session will end; without `timeout`, that it will not. */
  warn(warning: CloseWarning): void {
    this.#warning = warning.timeout === undefined ? undefined : warning;
    tellAll(this.#viewers, warning);
  }

  /** Tells everybody, now or soon; returns whether it was now. */
  tell(state: State): boolean {
    const { type } = state;
    this.#newest.set(type, state);
    let pace = this.#paces.get(type);
    if (pace === undefined) this.#paces.set(type, (pace = new Pace(INTERVAL_MS, () => this.#tell(type), BURST)));
    return pace.due();
  }

  stop(): void {
    for (const pace of this.#paces.values()) pace.stop();
  }

  #tell(type: State['type']): number {
    const state = this.#newest.get(type);
    return state === undefined ? 0 : costOf(this.#viewers.size, tellAll(this.#viewers, state));
  }
}
