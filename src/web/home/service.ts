import { say } from '../languages/page.js';

/** A session that was started here. */
export interface StartedSession {
  readonly id: string;
  readonly embedUrl: string;
}

/** The service that this page is from, called with an API key. The key is kept in memory only. */
export class Service {
  readonly #authorization: string;

  constructor(apiKey: string) {
    this.#authorization = `Bearer ${apiKey}`;
  }

  /** Starts a browser. @throws Error with a sentence for a person */
  async start(): Promise<StartedSession> {
    const answer = await this.#call('POST', 'v0/vm');
    if (!answer.ok) throw await problem(answer);
    const { session_id: id, embed_url: embedUrl } = (await answer.json()) as { session_id: string; embed_url: string };
    return { id, embedUrl };
  }

  /** Ends a session, or finds that it has ended. @throws Error with a sentence for a person */
  async end({ id }: StartedSession): Promise<void> {
    const answer = await this.#call('DELETE', `v0/vm/${encodeURIComponent(id)}`);
    if (!answer.ok && answer.status !== 404 && answer.status !== 410) throw await problem(answer);
  }

  async #call(method: string, path: string): Promise<Response> {
    try {
      return await fetch(path, { method, headers: { authorization: this.#authorization }, cache: 'no-store' });
    } catch {
      throw new Error(say('serviceUnreachable'));
    }
  }
}

/** What an answer that is an error says. */
async function problem(answer: Response): Promise<Error> {
  if (answer.status === 401) return new Error(say('wrongApiKey'));
  const { code, message } = (await answer.json().catch(() => ({}))) as { code?: unknown; message?: unknown };
  if (typeof message !== 'string') return new Error(say('serviceAnswered', { status: String(answer.status) }));
  return Object.assign(new Error(message), { code });
}
