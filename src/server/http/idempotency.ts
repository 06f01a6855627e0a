import { createHash, createHmac } from 'node:crypto';
import type { Request } from 'express';
import { validator } from '../../protocol/validation.js';
import { actorOf } from '../audit/index.js';
import { HttpError, type IdempotencyKey } from '../model/index.js';
import type { Parameter } from './table/description.js';

const SCHEMA = 'start-common.json#/$defs/idempotency_key';

/** Header of starts that may be repeated. */
export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Chosen by the client for each session that it wants, such as a random UUID: whoever got no answer sends the same ' +
    'request with it once more, and gets the session that the first one has started, or waits for it. Kept for 24 ' +
    'hours for each API key and `tenant_id`; not if the start fails.',
  schema: SCHEMA,
};

const validate = validator<string>(SCHEMA);

/** A request as it was read: what it is for, its JSON, and its files. */
interface Wanted {
  kind: string;
  body: { tenant_id?: string };
  files: ReadonlyMap<string, Buffer>;
}

/** The idempotency key of a request, if it has one. @throws HttpError if it is not valid */
export function idempotencyKeyOf(request: Request, { kind, body, files }: Wanted): IdempotencyKey | null {
  const header = request.get(IDEMPOTENCY_KEY.name);
  if (header === undefined) return null;
  if (!validate(header).ok)
    throw new HttpError('bad_request', {
      message: 'The header Idempotency-Key must have 1 to 255 visible ASCII characters, no quotes and no backslash.',
    });
  // With quotes, as the draft of a standard has it, and without: both are the same key.
  const key = header.replaceAll('"', '');
  const actor = actorOf(request);
  const tenantId = body.tenant_id ?? null;
  const whose = actor?.type === 'api_key' ? actor.key : '';
  const contents = [...files].map(([name, bytes]) => [name, digest(bytes)]);
  return {
    id: digest(JSON.stringify([whose, tenantId, key])),
    // By the key, so that secrets in a request cannot be guessed from what is stored.
    request: createHmac('sha256', key)
      .update(JSON.stringify([kind, sorted(body), contents]))
      .digest('base64url'),
    tenantId,
  };
}

const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('base64url');

/** The same JSON with the fields of all objects in alphabetical order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // A list of pairs: an object would put names that are numbers first.
  return { fields: entries.map(([name, each]) => [name, sorted(each)]) };
}
