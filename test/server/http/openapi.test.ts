import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t, { type Test } from 'tap';
import { schemas } from '../../../src/protocol/generated/schemas.js';
import { errorTable } from '../../../src/server/model/errors.js';
import { openApiDocument } from '../../../src/server/http/openapi/document.js';
import { follow, type Schema } from '../../../src/server/http/openapi/page/fields.js';
import { callsOf, type OpenApi, type OperationObject } from '../../../src/server/http/openapi/page/model.js';
import { operations } from '../../../src/server/http/operations/index.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { participantWebhook } from '../../fixtures/services/participant-webhook.js';
import { webhookReceiver } from '../../fixtures/services/webhook-receiver.js';
import { until } from '../../fixtures/until.js';

const document = openApiDocument('1.2.3') as unknown as OpenApi;
const calls = callsOf(document);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'document');
const BODY = ['requestBody', 'content', 'application/json', 'schema'];

/** Checks a value by the schema at a place in the document. */
function fits(t: Test, place: string[], value: unknown): void {
  const pointer = place
    .map(step => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
  const validate = ajv.compile({ $ref: `document#${pointer}` });
  t.ok(validate(value), `${pointer}: ${JSON.stringify(validate.errors)}`);
}

/** Checks the examples of a call, which is at a place in the document; a JSON body must have one. */
function examplesFit(t: Test, { requestBody, responses }: OperationObject, ...place: string[]): void {
  const json = requestBody?.content['application/json'];
  if (json !== undefined) fits(t, [...place, ...BODY], json.example);
  for (const [status, { content = {} }] of Object.entries(responses))
    for (const [type, { example }] of Object.entries(content))
      if (example !== undefined) fits(t, [...place, 'responses', status, 'content', type, 'schema'], example);
}

/** All objects with properties that a schema is made of. */
function objectsIn(schema: Schema, seen = new Set<string>()): Schema[] {
  if (schema.$ref !== undefined) {
    if (seen.has(schema.$ref)) return [];
    return objectsIn(follow(schema, document.components.schemas), seen.add(schema.$ref));
  }
  const { properties = {}, items, prefixItems = [], oneOf = [], anyOf = [] } = schema;
  const parts = [...Object.values(properties), ...(items ? [items] : []), ...prefixItems, ...oneOf, ...anyOf];
  return [...(schema.properties === undefined ? [] : [schema]), ...parts.flatMap(each => objectsIn(each, seen))];
}

interface Layer {
  route?: { path: string | string[]; methods: Record<string, boolean> };
  handle?: { stack?: Layer[] };
}

/** All routes under a router, as `get /v0/vm/{}`. */
function routesOf(stack: Layer[]): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (route === undefined) return routesOf(handle?.stack ?? []);
    const methods = Object.keys(route.methods).filter(method => method !== '_all');
    return [route.path].flat().flatMap(path => methods.map(method => `${method} ${path.replace(/:\w+/g, '{}')}`));
  });
}

t.test('the description is valid OpenAPI 3.1', async t => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
  t.ok(result.valid, JSON.stringify(result.errors));
});

t.test('it has exactly the routes of the service', async t => {
  const { service } = await serveInProcess(t);
  const called = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
  // Express has none besides the table of operations.
  const others = routesOf((service.app.router as unknown as { stack: Layer[] }).stack);
  const routes = new Set([...operations.map(called), ...others]);
  const described = new Set(calls.map(called));
  t.same([...described].sort(), [...routes].sort());
});

t.test('every call has a unique name, says who may make it, and has an example that is valid', async t => {
  t.equal(new Set(calls.map(({ operation }) => operation.operationId)).size, calls.length);
  for (const { method, path, operation } of calls) {
    t.ok(operation.security, operation.operationId);
    examplesFit(t, operation, 'paths', path, method);
  }
});

t.test('generators find the type of every value with a format, what is binary, and the credential to send', t => {
  const untyped = (value: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null) return [];
    const wrong = typeof (value as Schema)['format'] === 'string' && !('type' in value) ? [value] : [];
    return [...wrong, ...Object.values(value).flatMap(untyped)];
  };
  t.same(untyped({ paths: document.paths, components: document.components }), []);
  for (const { operation } of calls) {
    for (const { content = {} } of Object.values(operation.responses)) {
      for (const type of ['image/png', 'application/octet-stream']) {
        if (type in content) t.match(content[type], { schema: { format: 'binary' } }, operation.operationId);
      }
    }
    const credentials = (operation.security ?? []).flatMap(each => Object.keys(each));
    if (credentials.includes('apiKey')) t.not(credentials[0], 'ticket', operation.operationId);
  }
  t.end();
});

t.test('webhooks are described as they are sent', async t => {
  const webhook = await participantWebhook(t);
  const receiver = await webhookReceiver(t, 200);
  const events = await webhookReceiver(t, 200);
  const session = await startFakedSession(t, {
    auth: { type: 'webhook', value: { url: webhook.url, bearer: 'secret' } },
    timeout: { absolute: 3, warning: 3, webhook: { url: receiver.url, bearer: 'secret' } },
    events: { webhook: { url: events.url, bearer: 'secret' } },
  });
  (await session.join({ userdata: { name: 'Ada' } })).leave();
  await until('warning and timeout came', () => receiver.received.length >= 2);
  await until('the end is told', () => events.received.some(({ body }) => body.includes('"ended"')));
  const sentTo = ({ received }: typeof receiver) =>
    received.map(({ headers, body }) => ({ headers, body: JSON.parse(body) as unknown }));
  const sent: Record<string, { headers: object; body: unknown }[]> = {
    participantCheck: webhook.questions,
    lifecycle: sentTo(events),
    timeout: sentTo(receiver),
  };
  t.same(Object.keys(document.webhooks), Object.keys(sent));
  for (const [name, requests] of Object.entries(sent)) {
    const operation = document.webhooks[name]?.['post'] as OperationObject;
    examplesFit(t, operation, 'webhooks', name, 'post');
    for (const { headers, body } of requests) {
      for (const { name: header } of operation.parameters ?? []) t.hasProp(headers, header.toLowerCase());
      fits(t, ['webhooks', name, 'post', ...BODY], body);
    }
  }
});

t.test(
  'every error of the service is documented as an answer of a call, unless no call at an address has it',
  async t => {
    const told = JSON.stringify(document.paths);
    // Nothing is at the address, or only viewers make the call, over their socket.
    const elsewhere = ['not_found', 'seat_taken'];
    for (const code of Object.keys(errorTable)) t.equal(told.includes(`\`${code}\``), !elsewhere.includes(code), code);
  },
);

t.test('answers and webhook bodies may gain fields, requests are closed', async t => {
  const requests = calls.flatMap(({ operation }) => Object.values(operation.requestBody?.content ?? {}));
  const answers = [
    ...calls.flatMap(({ operation }) => Object.values(operation.responses)),
    ...Object.values(document.webhooks).map(({ post }) => post?.requestBody ?? { content: {} }),
  ].flatMap(({ content = {} }) => Object.values(content));
  const objectsOf = (content: readonly { schema: Schema }[]) => content.flatMap(({ schema }) => objectsIn(schema));
  t.ok(objectsOf(answers).length > 20);
  for (const schema of objectsOf(answers)) t.not(schema['additionalProperties'], false, JSON.stringify(schema));
  t.ok(objectsOf(requests).length > 10);
  for (const schema of objectsOf(requests)) t.hasProp(schema, 'additionalProperties', JSON.stringify(schema));
});

t.test('the codes of errors are listed, for generators, and others may come', async t => {
  const { ErrorBody, ErrorCode } = document.components.schemas;
  t.same(ErrorCode?.enum, Object.keys(errorTable));
  t.same(ErrorBody?.properties?.['code']?.anyOf, [{ $ref: '#/components/schemas/ErrorCode' }, { type: 'string' }]);
});

t.test('the start request is described field by field as in the schema', async t => {
  const described = document.components.schemas['StartChromium']?.properties ?? {};
  t.same(Object.keys(described), Object.keys((schemas['start-chromium.json'] as { properties: object }).properties));
});

t.test('it is served, for other origins too', async t => {
  const { url } = await serveInProcess(t);
  const answer = await fetch(`${url}/openapi.json`);
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('access-control-allow-origin'), '*');
  t.match(await answer.json(), { openapi: '3.1.0', paths: { '/v0/vm': {} } });
});

t.test('the page names every call, error and field, and loads nothing from elsewhere', async t => {
  const { url } = await serveInProcess(t);
  const answer = await fetch(`${url}/docs`);
  t.match(answer.headers.get('content-type'), /^text\/html/);
  const html = await answer.text();
  for (const { operation } of calls) t.ok(html.includes(`id="${operation.operationId}"`), operation.operationId);
  for (const code of Object.keys(errorTable)) t.ok(html.includes(`<code>${code}</code>`), code);
  for (const field of ['timeout.webhook.url', 'quality.mode', 'profile.save', 'locale.country'])
    t.ok(html.includes(`<code>${field}</code>`), field);
  const links = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(match => match[1] ?? '');
  for (const link of links) t.match(link, /^(#|[a-z.]+$)/);
  const anchors = links.filter(link => link.startsWith('#'));
  for (const link of anchors) t.ok(html.includes(`id="${link.slice(1)}"`), link);
  t.notMatch(html, /<script/);
});
