import type { Request, Response } from 'express';
import type { StartChromium } from '../../../protocol/generated/schemas.js';
import type { Problem } from '../../../protocol/validation.js';
import { ExtensionError, inspectExtension } from '../../extensions/index.js';
import { romRefusal } from '../../games/index.js';
import {
  type ErrorCode,
  HttpError,
  kindOf,
  type Session,
  type Start,
  type StartRequest,
  type StartSpec,
  starts as startsOfKinds,
} from '../../model/index.js';
import { reasonText } from '../../outbound/index.js';
import type { WebhookSender } from '../../webhooks/index.js';
import { readJson } from '../bodies/json.js';
import { isMultipart, readMultipart, type Multipart } from '../bodies/multipart.js';
import { requestValidator } from '../bodies/validate.js';
import type { OperationContext } from '../context.js';
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from '../idempotency.js';
import { noteStart } from '../middleware/audit.js';
import type { Body } from '../table/body.js';
import { json } from '../table/description.js';
import { operation } from '../table/operation.js';
import { CREATED } from './common.js';

/** Errors of every start. */
const ERRORS: readonly ErrorCode[] = [
  'invalid_body',
  'invalid_json',
  'unauthorized',
  'body_too_large',
  'unsupported_media_type',
  'tag_in_use',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'webhook_refused',
  'region_unavailable',
  'profile_not_found',
  'profile_wrong_kind',
  'profile_damaged',
  'profile_too_large',
  'capacity',
  'start_failed',
  'profile_unavailable',
  'engine_unavailable',
  'stopping',
  'start_timeout',
];

const METADATA_BYTES = 4096;

const EXTENSION_PART =
  'With `extension`, as parts: `body` with the JSON, and the archive in the part that `extension.field` names.';

const MULTIPART = {
  type: 'object',
  required: ['body'],
  properties: {
    body: { type: 'string', contentMediaType: 'application/json', description: 'The fields above.' },
  },
  additionalProperties: { type: 'string', contentMediaType: 'application/zip' },
};

/** Starting sessions, as their kinds declare it. */
export const starts = startsOfKinds.flatMap(start =>
  start.operations.map(described =>
    operation({
      ...described,
      method: 'post',
      tag: 'Sessions',
      description: start.description,
      credential: 'apiKey',
      parameters: [IDEMPOTENCY_KEY],
      body: bodyOf(start),
      answers: {
        200: json(
          'A session with this `tag` was already running; the answer describes it.',
          'answers.json#/$defs/created',
          CREATED,
        ),
        201: json('The session was started.', 'answers.json#/$defs/created', CREATED),
      },
      errors: [...ERRORS, ...start.errors],
      audit: 'session.start',
      handle:
        parts =>
        async ({ body: { wanted, files }, ...exchange }) => {
          const key = idempotencyKeyOf(exchange.request, { kind: start.schema, body: wanted, files });
          const earlier = key === null ? null : await parts.sessions.startedBefore(key);
          if (earlier !== null) return answerStart(earlier, parts, exchange);
          await checkWebhooks(wanted, parts.webhooks);
          const extension = await extensionOf(wanted, files);
          const spec = start.spec(wanted, parts);
          await checkContent(spec, start.content?.(wanted), parts);
          const events = spec.events ?? ownReceiver(parts.events);
          answerStart(await parts.sessions.start({ ...spec, events, extension }, key), parts, exchange);
        },
    }),
  ),
);

/** JSON, or the parts of a multipart request with an extension. */
interface StartBody {
  wanted: StartRequest & Pick<StartChromium, 'extension'>;
  files: Multipart['files'];
}

function bodyOf({ schema, required, example, takesExtension, problems }: Start): Body<StartBody> {
  const validate = requestValidator<StartBody['wanted']>(schema, 'invalid_body', wanted => [
    ...problems(wanted),
    ...metadataProblems(wanted),
  ]);
  return {
    ...(takesExtension ? { description: EXTENSION_PART } : {}),
    required,
    lenient: true,
    content: {
      'application/json': { schema, example },
      ...(takesExtension ? { 'multipart/form-data': { schema: MULTIPART } } : {}),
    },
    async read(request, response) {
      const { body, files } =
        takesExtension && isMultipart(request)
          ? await readMultipart(request)
          : { body: await readJson(request, response, () => ({})), files: new Map<string, Buffer>() };
      return { wanted: validate(request, body), files };
    },
  };
}

/** Checks what a schema cannot express about metadata. */
function metadataProblems({ metadata = {} }: StartRequest): Problem[] {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  const message = `must be at most ${METADATA_BYTES} bytes as JSON, but is ${bytes}`;
  return bytes > METADATA_BYTES ? [{ path: '/metadata', message }] : [];
}

/**
 * Refuses webhooks to forbidden addresses. Host names are checked when they are connected to.
 * @throws HttpError naming the fields
 */
async function checkWebhooks({ auth, timeout, events }: StartRequest, webhooks: WebhookSender): Promise<void> {
  const given = [
    { path: '/auth/value/url', url: auth?.value?.url },
    { path: '/timeout/webhook/url', url: timeout?.webhook?.url },
    { path: '/events/webhook/url', url: events?.webhook.url },
  ];
  const checked = await Promise.all(
    given.map(async ({ path, url }) => ({ path, reason: url === undefined ? null : await webhooks.refusal(url) })),
  );
  const details = checked.flatMap(({ path, reason }) =>
    reason === null ? [] : [{ path, message: `The address of the webhook ${reasonText(reason)}.` }],
  );
  if (details.length > 0) throw new HttpError('webhook_refused', { details });
}

/** The service's own receiver of events, whose requests its own secret signs. */
const ownReceiver = (events: OperationContext['events']): StartSpec['events'] => events && { ...events, secret: null };

/** The checked extension in a start request; null if the request has none. @throws HttpError */
async function extensionOf({ extension }: StartBody['wanted'], files: StartBody['files']): Promise<Buffer | null> {
  const stray = [...files.keys()].find(name => name !== extension?.field);
  if (stray !== undefined)
    throw invalid({ path: '/extension/field', message: `must name the part "${stray.slice(0, 128)}"` });
  if (extension === undefined) return null;
  const archive = files.get(extension.field);
  if (archive === undefined) {
    throw invalid({
      path: '/extension/field',
      message: `names no part: send multipart/form-data with the JSON in "body" and the archive in "${extension.field}"`,
    });
  }
  try {
    return await inspectExtension(archive);
  } catch (error) {
    if (!(error instanceof ExtensionError)) throw error;
    throw new HttpError(error.failure, { details: [{ path: '/extension', message: error.message }] });
  }
}

const invalid = (problem: Problem) => new HttpError('invalid_body', { details: [problem] });

/** Refuses games and apps at forbidden addresses. @throws HttpError naming the field */
async function checkContent(
  { rom, launch }: StartSpec,
  content: ReturnType<NonNullable<Start['content']>> | undefined,
  { outbound, roms }: Pick<OperationContext, 'outbound' | 'roms'>,
): Promise<void> {
  if (rom === null || content === undefined) return;
  const reason = await outbound.refusal(rom, roms.allowPrivate);
  if (reason === null) return;
  const message = romRefusal(reason, kindOf(launch.kind).content ?? undefined);
  throw new HttpError(content.refused, { details: [{ path: content.path, message }] });
}

/** Answers a start. A session counts as claimed once the answer was sent; if the caller is gone, it ends. */
function answerStart(
  start: { session: Session; created: boolean; repeated: boolean },
  { sessions, addresses }: Pick<OperationContext, 'sessions' | 'addresses'>,
  { request, response }: { request: Pick<Request, 'host' | 'protocol'>; response: Response },
): void {
  const { session, created } = start;
  response.once('finish', () => sessions.claim(session));
  noteStart(response, start);
  response.status(created ? 201 : 200).json(addresses.of(session, request));
}
