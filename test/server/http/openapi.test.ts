import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { schemas } from '../../../src/protocol/generated/schemas.js';
import { errorTable } from '../../../src/server/http/errors.js';
import { openApiDocument } from '../../../src/server/http/openapi/document.js';
import { callsOf, type OpenApi } from '../../../src/server/http/openapi/page/model.js';
import { serveInProcess } from '../../fixtures/in-process.js';

const document = openApiDocument('1.2.3') as unknown as OpenApi;
const calls = callsOf(document);

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
  const routes = new Set(routesOf((service.app.router as unknown as { stack: Layer[] }).stack));
  const described = new Set(calls.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`));
  t.same([...described].sort(), [...routes].sort());
});

t.test('every call is named once, says who may call it, and has an example that its schema takes', async t => {
  t.equal(new Set(calls.map(({ operation }) => operation.operationId)).size, calls.length);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document as object, 'document');
  const fits = (place: string, value: unknown) => {
    const validate = ajv.compile({ $ref: `document#${place}` });
    t.ok(validate(value), `${place}: ${JSON.stringify(validate.errors)}`);
  };
  const pointer = (...steps: string[]) =>
    steps.map(step => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
  for (const { method, path, operation } of calls) {
    t.ok(operation.security, operation.operationId);
    const at = (...steps: string[]) => pointer('paths', path, method, ...steps);
    const media = Object.entries(operation.requestBody?.content ?? {});
    for (const [type, { example }] of media)
      if (type === 'application/json') fits(at('requestBody', 'content', type, 'schema'), example);
    for (const [status, { content = {} }] of Object.entries(operation.responses))
      for (const [type, { example }] of Object.entries(content))
        if (example !== undefined) fits(at('responses', status, 'content', type, 'schema'), example);
  }
});

t.test('every error of the service is the answer of a call, but for addresses where there is none', async t => {
  const told = JSON.stringify(document.paths);
  for (const code of Object.keys(errorTable)) if (code !== 'not_found') t.ok(told.includes(`\`${code}\``), code);
});

t.test('the start request is described field by field as the schema has it', async t => {
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
  for (const field of ['timeout.webhook.url', 'quality.mode', 'profile.save', 'locale.country']) t.ok(html.includes(`<code>${field}</code>`), field);
  const links = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(match => match[1] ?? '');
  for (const link of links) t.match(link, /^[#/](?!\/)/);
  const anchors = links.filter(link => link.startsWith('#'));
  for (const link of anchors) t.ok(html.includes(`id="${link.slice(1)}"`), link);
  t.notMatch(html, /<script/);
});
