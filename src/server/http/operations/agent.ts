import { json } from 'node:stream/consumers';
import type { AgentHttp } from '../../agent-link/index.js';
import { type AgentAnswer, type AgentRequest, type ErrorCode, HttpError } from '../../model/index.js';

/** Agents' errors that are passed on to callers; others are the fault of the service or the container. */
const PASSED_ON: ReadonlyMap<string, ErrorCode> = new Map([
  ...[
    ...(['invalid_query', 'download_not_found', 'upload_not_found', 'no_room', 'not_ready'] as const),
    ...(['clipboard_invalid', 'picture_not_found'] as const),
  ].map(code => [code, code] as const),
  ['busy', 'not_ready'],
]);

/** Largest JSON answer of an agent, bytes. */
const JSON_MAX_BYTES = 1 << 20;

/** How long it may take from its head to its end, ms. */
const JSON_TIMEOUT_MS = 10_000;

/** Sends a session's agent a request; resolves with a successful answer. @throws HttpError */
export async function askAgent(agent: AgentHttp, request: AgentRequest): Promise<AgentAnswer> {
  const answer = await agent.send(request).catch((error: unknown) => {
    throw error instanceof HttpError ? error : new HttpError('agent_lost', { cause: error });
  });
  if (answer.statusCode !== undefined && answer.statusCode < 300) return answer;
  const { code } = (await agentJson(answer).catch(() => ({}))) as { code?: unknown };
  const known = PASSED_ON.get(String(code));
  throw known === undefined ? new HttpError('agent_failed') : new HttpError(known);
}

/** Reads a JSON answer. @throws HttpError if it is not JSON */
export async function agentJson(answer: AgentAnswer): Promise<unknown> {
  const timer = setTimeout(() => answer.destroy(new Error('The answer takes too long.')), JSON_TIMEOUT_MS);
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > JSON_MAX_BYTES) answer.destroy(new Error('The answer is too long.'));
  });
  return json(answer)
    .catch((error: unknown) => {
      throw new HttpError('agent_failed', { cause: error });
    })
    .finally(() => clearTimeout(timer));
}
