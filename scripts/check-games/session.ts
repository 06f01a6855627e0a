import type { Service } from '../../test/fixtures/services/service.js';
import { StreamClient } from '../../test/fixtures/viewers/stream-client.js';
import type { ConsoleKind } from '../../src/protocol/generated/schemas.js';

export const SIZE = { width: 640, height: 480 };
const FPS = 60;

/** Time after which a session ends in any case, seconds. */
const LONGEST_S = 600;

/** The service did not start a session. */
export class NoSession extends Error {
  override readonly name = 'NoSession';
}

/** A console session and its only viewer. */
export class GameSession {
  readonly #service: Service;
  readonly #id: string;
  readonly #token: string;
  readonly viewer: StreamClient;

  private constructor(service: Service, id: string, token: string, viewer: StreamClient) {
    this.#service = service;
    this.#id = id;
    this.#token = token;
    this.viewer = viewer;
  }

  /** Starts one. @throws NoSession */
  static async start(service: Service, type: ConsoleKind, url: string): Promise<GameSession> {
    const fields = { type, room_url: url, ...SIZE, fps: FPS, timeout: { absolute: LONGEST_S } };
    const { status, body } = (await service.api('POST', '/console', fields)) as { status: number; body: unknown };
    if (status !== 201) throw new NoSession(`${status} ${JSON.stringify(body)}`);
    const answer = body as { session_id: string; embed_url: string; admin_token: string };
    try {
      const viewer = await StreamClient.join(answer.embed_url.replace(/^http/, 'ws').replace('?', '/stream?'));
      return new GameSession(service, answer.session_id, answer.admin_token, viewer);
    } catch (error) {
      await service.api('DELETE', `/v0/vm/${answer.session_id}`);
      throw new NoSession(String(error));
    }
  }

  /** What ended it by itself; null while it is running. */
  get ended(): { reason: string; message: string } | null {
    const [end] = this.viewer.all('end');
    return end === undefined ? null : { reason: end.reason, message: end.message ?? '' };
  }

  /** Whether its emulator ever ran. */
  get hasRun(): boolean {
    return this.viewer.all('session').some(({ state }) => state === 'running');
  }

  /** How often its emulator was restarted. */
  get restarts(): number {
    return this.viewer.all('session').filter(({ state }) => state === 'restarting').length;
  }

  /** A screenshot, PNG; null if there is none. */
  async screenshot(): Promise<Buffer | null> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const answer = await fetch(`${this.#service.url}/s/${this.#id}/screenshot`, { headers });
    return answer.ok ? Buffer.from(await answer.arrayBuffer()) : null;
  }

  async end(): Promise<void> {
    this.viewer.leave();
    await this.#service.api('DELETE', `/v0/vm/${this.#id}`);
  }
}
