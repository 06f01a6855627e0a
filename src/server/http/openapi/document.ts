import { type ErrorCode, errorTable } from '../../model/index.js';
import { INTRODUCTION, TAGS } from './introduction.js';
import { operations } from '../operations/index.js';
import type { Content, Parameter } from '../table/description.js';
import type { Body } from '../table/body.js';
import { PREFER } from '../operations/parameters.js';
import { honoursPrefer, type Operation } from '../table/operation.js';
import { Components, resolve } from './schemas.js';
import { securitySchemes } from './security-schemes.js';
import { webhooks } from './webhooks.js';

type Json = { [key: string]: unknown };

/** Errors that any operation can return. */
const COMMON_ERRORS: readonly ErrorCode[] = ['bad_request', 'rate_limited', 'internal', 'store_unavailable'];

/** Errors that any operation with a body can return. */
const BODY_ERRORS: readonly ErrorCode[] = ['body_stalled'];

/** The OpenAPI 3.1 document of the whole interface. */
export function openApiDocument(version: string): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describe(operation, components);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Berth', version, description: INTRODUCTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
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
