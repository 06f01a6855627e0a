import type { Logger } from 'pino';
import type { Audit } from '../audit/index.js';
import type { Fleet } from '../engines/index.js';
import type { Hub } from '../participants/index.js';
import type { Store } from '../store/index.js';
import type { Outbox } from '../webhooks/index.js';
import { timeoutEvent } from './timeouts/events.js';
import type { InFlight } from './start/in-flight.js';
import type { DeviceReturns } from './devices/returns.js';
import type { ProfileSaver } from './profile/profile-saver.js';
import type { LiveSessions } from './live-sessions.js';
import type { Ending, Session } from '../model/index.js';
import { clock } from '../lib/clock.js';

export interface TerminatorParts {
  store: Store;
  fleet: Fleet;
  hub: Hub;
  outbox: Outbox;
  liveSessions: LiveSessions;
  inFlight: InFlight;
  profileSaver: ProfileSaver;
  devices: DeviceReturns;
  replica: string;
  audit: Audit;
  log: Logger;
}

/** Ends sessions. The end is first claimed in the store, so that it happens exactly once. */
export class Terminator {
  readonly #parts: TerminatorParts;
  /** By session. */
  readonly #clearing = new Map<string, Promise<void>>();

  constructor(parts: TerminatorParts) {
    this.#parts = parts;
  }

  /**
   * Ends a session: books usage, queues the webhook, tells viewers, saves the profile, removes the container. A profile
   * that cannot be saved now is saved later; a container that cannot be removed now is removed when its engine is back.
   * @returns whether this call ended it
   */
  async end(sessionId: string, ending: Ending): Promise<boolean> {
    const { store, hub, outbox, log, replica, audit } = this.#parts;
    const session = await store.end(sessionId, ending, clock.now(), timeoutEvent(ending), replica);
    if (session === null) {
      await this.#follow(sessionId);
      await this.#clearing.get(sessionId);
      return false;
    }
    log.info({ session: sessionId, reason: ending.reason, message: ending.message }, 'session ended');
    const { reason } = ending;
    audit.record({ event: 'session.ended', result: 'ok', actor: { type: 'service' }, session: sessionId, reason });
    const closed = this.#close(sessionId);
    outbox.ended(sessionId);
    await Promise.all([hub.detach(sessionId, ending), this.clear(session, closed)]);
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
    if (await this.#parts.profileSaver.save(session)) await this.#removeContainer(session);
  }

  /** Another replica ended a session served here: its viewers here must be told too. */
  async #follow(sessionId: string): Promise<void> {
    if (this.#parts.liveSessions.get(sessionId) === undefined) return;
    const session = await this.#parts.store.sessions.find(sessionId);
    if (session?.state.name !== 'ended') return;
    const { reason, message, code } = session.state;
    await this.#close(sessionId);
    await this.#parts.hub.detach(sessionId, {
      reason,
      ...(message === null ? {} : { message }),
      ...(code === null ? {} : { code }),
    });
  }

  /** Nothing of a session that was served here goes on; resolves when a checkpoint in progress has been discarded. */
  async #close(sessionId: string): Promise<void> {
    const { liveSessions, inFlight } = this.#parts;
    const checkpoint = liveSessions.get(sessionId)?.checkpoints.running;
    liveSessions.remove(sessionId);
    inFlight.abort(sessionId, new Error('The session was ended while it started.'));
    await checkpoint;
  }

  async #removeContainer(session: Session): Promise<void> {
    try {
      await this.#parts.fleet.at(session.region)?.stop(session.id);
      await this.#parts.devices.release(session);
    } catch (error) {
      this.#parts.log.warn({ err: error, session: session.id }, 'container not removed yet');
    }
  }
}
