import type { Logger } from 'pino';
import type { Audit } from '../audit/index.js';
import type { Fleet } from '../engines/index.js';
import type { Store } from '../store/index.js';
import type { Outbox } from '../webhooks/index.js';
import type { EventRecorder } from './events/recorder.js';
import { timeoutEvent } from './timeouts/events.js';
import type { DeviceReturns } from './devices/returns.js';
import type { ProfileSaver } from './profile/profile-saver.js';
import type { LiveSessions } from './live-sessions.js';
import type { Ending, Session } from '../model/index.js';
import { clock } from '../lib/clock.js';

export interface TerminatorOptions {
  store: Store;
  fleet: Fleet;
  outbox: Outbox;
  liveSessions: LiveSessions;
  profileSaver: ProfileSaver;
  recorder: Pick<EventRecorder, 'flush'>;
  devices: DeviceReturns;
  replica: string;
  audit: Audit;
  log: Logger;
}

/** Ends sessions. The end is first claimed in the store, so that it happens exactly once. */
export class Terminator {
  readonly #options: TerminatorOptions;
  /** By session. */
  readonly #clearing = new Map<string, Promise<void>>();

  constructor(options: TerminatorOptions) {
    this.#options = options;
  }

  /**
   * Ends a session: books usage, queues the webhook, tells viewers, saves the profile, removes the container. A profile
   * that cannot be saved now is saved later; a container that cannot be removed now is removed when its engine is back.
   * @returns whether this call ended it
   */
  async end(sessionId: string, ending: Ending): Promise<boolean> {
    const { store, liveSessions, outbox, recorder, log, replica, audit } = this.#options;
    // What its users have done until now is told before.
    if (liveSessions.get(sessionId) !== undefined) await recorder.flush();
    const session = await store.end(sessionId, ending, clock.now(), timeoutEvent(ending), replica);
    if (session === null) {
      await this.#follow(sessionId);
      await this.#clearing.get(sessionId);
      return false;
    }
    log.info({ session: sessionId, reason: ending.reason, message: ending.message }, 'session ended');
    const { reason } = ending;
    audit.record({ event: 'session.ended', result: 'ok', actor: { type: 'service' }, session: sessionId, reason });
    const live = liveSessions.get(sessionId);
    // A checkpoint in progress is discarded before the profile is saved.
    const checkpoint = live?.checkpoints.running ?? Promise.resolve();
    const viewersGone = live && liveSessions.close(live, ending);
    outbox.ended(sessionId);
    await Promise.all([viewersGone, this.clear(session, checkpoint)]);
    return true;
  }

  /**
   * Saves the profile of an ended session, removes its container, then takes its device back; one call at a time for
   * each session, which others join. `closed`: what must be over before.
   */
  clear(session: Session, closed: Promise<void> = Promise.resolve()): Promise<void> {
    const underWay = this.#clearing.get(session.id);
    if (underWay !== undefined) return underWay;
    const clearing = closed.then(() => this.#clear(session)).finally(() => this.#clearing.delete(session.id));
    this.#clearing.set(session.id, clearing);
    return clearing;
  }

  async #clear(session: Session): Promise<void> {
    if (await this.#options.profileSaver.save(session)) await this.#removeContainer(session);
  }

  /** Another replica ended a session served here: its viewers here must be told too. */
  async #follow(sessionId: string): Promise<void> {
    const { liveSessions, store } = this.#options;
    const live = liveSessions.get(sessionId);
    if (live === undefined) return;
    const session = await store.sessions.find(sessionId);
    if (session?.state.type !== 'ended') return;
    const { reason, message, code } = session.state;
    const checkpoint = live.checkpoints.running;
    const ending = { reason, ...(message === null ? {} : { message }), ...(code === null ? {} : { code }) };
    await Promise.all([liveSessions.close(live, ending), checkpoint]);
  }

  async #removeContainer(session: Session): Promise<void> {
    try {
      await this.#options.fleet.at(session.region)?.stop(session.id);
      await this.#options.devices.release(session);
    } catch (error) {
      this.#options.log.warn({ err: error, session: session.id }, 'container not removed yet');
    }
  }
}
