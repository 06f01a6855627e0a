import { type ErrorCode, errorTable } from '../../model/index.js';
import type { Security } from '../credentials/credential.js';
import { PREFER } from '../operations/common.js';
import { operations } from '../operations/index.js';
import type { Body } from '../table/body.js';
import { type Content, type Parameter, TAGS } from '../table/description.js';
import { honoursPrefer, type Operation } from '../table/operation.js';
import { Components, resolve } from './schemas.js';
import { webhooks } from './webhooks.js';

type Json = { [key: string]: unknown };

/** The introduction of the document. */
const INTRODUCTION = `Starts cloud computers, called sessions, and streams them to web pages.

Start a session with an API key. Open its \`embed_url\` in a browser, in an iframe, or with the web SDK. \
\`embed_url\` without its query is the session's own address, the base of the calls under /s/{session_id}.

A credential is sent as \`Authorization: Bearer <credential>\`; the bare credential is accepted too.

A JSON body is read whatever its content type says; 415 is for multipart and binary types.

Errors have the body \`{code, message, details}\`; \`details\` names each field that is wrong by a JSON pointer. \
Unknown fields are errors; with the header \`Prefer: handling=lenient\` they are ignored. \
429 and 503 carry \`Retry-After\` in seconds. \
Answers, webhook bodies and the list of codes may gain entries without notice: ignore what you do not know.`;

/** How callers authenticate. */
const securitySchemes: Record<Security, { type: string; description: string; [field: string]: string }> = {
  apiKey: { type: 'http', scheme: 'bearer', description: "The service's API key. It opens every session too." },
  adminToken: {
    type: 'http',
    scheme: 'bearer',
    description: "The session's `admin_token`, good for this session only.",
  },
  embedToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The token in `embed_url`; the admin token is accepted too.',
  },
  ticket: {
    type: 'apiKey',
    in: 'query',
    name: 'ticket',
    description: 'The credential of one connected viewer, from its `welcome` message.',
  },
};

/** Errors that any operation can return. */
const COMMON_ERRORS: readonly ErrorCode[] = ['bad_request', 'rate_limited', 'internal', 'store_unavailable'];

/** Errors that any operation with a body can return. */
const BODY_ERRORS: readonly ErrorCode[] = ['body_stalled'];

/** The OpenAPI 3.1 document of the whole interface; `path`: that of the service's public address, or empty. */
export function openApiDocument(version: string, path = ''): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describe(operation, components);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Berth', version, description: INTRODUCTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: path || '/' }],
    tags: TAGS,
    paths,
    webhooks: webhooks(components),
    components: { schemas: components.all, securitySchemes },
    'x-errors': errorList(),
  };
}

function describe(operation: Operation, components: Components): Json {
  const { id, tag, summary, description, security, body, answers } = operation;
  const parameters = [
    ...(operation.parameters ?? []),
    ...queryParameters(operation.query),
    ...(honoursPrefer(operation) ? [PREFER] : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: security.map(each => ({ [each]: [] })),
    ...(parameters.length === 0
      ? {}
      : { parameters: parameters.map(each => ({ ...each, schema: components.use(each.schema) })) }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, components) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, { description, content }]) => [
          status,
          { description, ...(content === undefined ? {} : { content: contentOf(content, components) }) },
        ]),
      ),
      ...errorAnswers([...operation.errors, ...(body === undefined ? [] : BODY_ERRORS), ...COMMON_ERRORS], components),
    },
  };
}

function requestBody({ description, required, content }: Body<unknown>, components: Components): Json {
  return { ...(description === undefined ? {} : { description }), required, content: contentOf(content, components) };
}

function contentOf(content: Content, components: Components): Json {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema, ...rest }]) => [type, { schema: components.use(schema), ...rest }]),
  );
}

/** Makes a parameter of each property of a query's schema. */
function queryParameters(ref: string | undefined): Parameter[] {
  if (ref === undefined) return [];
  const [file = '', pointer = ''] = ref.split('#');
  const properties = resolve(file, pointer)['properties'] as Record<string, { description?: string }>;
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
  }));
}

/** One response for each status, with its possible error codes. */
function errorAnswers(codes: readonly ErrorCode[], components: Components): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const [status] = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [
      status,
      {
        description: each.map(code => `\`${code}\`: ${errorTable[code][1]}`).join('\n\n'),
        ...(status === 429 || status === 503
          ? { headers: { 'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer' } } } }
          : {}),
        content: {
          'application/json': {
            schema: components.use('answers.json#/$defs/error'),
            examples: Object.fromEntries(
              each.map(code => [code, { value: { code, message: errorTable[code][1], ...details(code) } }]),
            ),
          },
        },
      },
    ]),
  );
}

/** Every error code, by status. */
function errorList(): Json[] {
  return Object.entries(errorTable)
    .map(([code, [status, message]]) => ({ status, code, message }))
    .sort((a, b) => a.status - b.status);
}

function details(code: ErrorCode): Json {
  return code === 'invalid_body' ? { details: [{ path: '/fps', message: 'must be <= 60' }] } : {};
}
