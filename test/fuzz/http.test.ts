// tags: long, random
/** 10,000 generated requests to every call of the interface, valid ones and broken ones. No container is started. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import t from 'tap';
import { EngineError } from '../../src/server/engines/engine.js';
import { openApiDocument } from '../../src/server/http/openapi/document.js';
import { operations } from '../../src/server/http/operations/index.js';
import type { Operation } from '../../src/server/http/table/operation.js';
import type { OpenApi } from '../../src/server/http/openapi/page/model.js';
import { arbitrary, broken, fromSchema } from '../fixtures/from-schema.js';
import { serveInProcess } from '../fixtures/services/in-process.js';
import { startFakedSession } from '../fixtures/services/faked-session.js';
import { seedOf } from '../fixtures/seed.js';
import { until } from '../fixtures/until.js';

const REQUESTS = 10_000;
const AT_ONCE = 8;

/** Requests that are made less often: they answer the same to all, or end the session that others are about. */
const RARE = new Set([
  'openPlayer',
  'readStatus',
  'readHealth',
  'readReadiness',
  'readMetrics',
  'readDescription',
  'readDocs',
  'openHome',
]);

/** What starts may fail by, since the engine is made to: each code with its message. */
const FAULTS = { start_failed: 'no such image', engine_unavailable: 'cannot be reached' };

/** Calls whose errors are pages, for people who follow a link. */
const PAGES = new Set(['openPlayer']);

/** The call that ends the session that it is about. */
const TIMEOUTS = 'changeTimeouts';

interface Plan {
  operation: Operation;
  path: string;
  query: string;
  body: string | undefined;
  headers: Record<string, string>;
}

t.test(`${REQUESTS} generated requests are answered as documented, with nothing above 4xx`, async t => {
  const seed = seedOf(t);
  const service = await serveInProcess(t, { BERTH_MAX_SESSIONS: '50' });
  const session = await startFakedSession(t, {}, service);
  // Its timeouts are changed, and end it sooner or later.
  const shortLived = await startFakedSession(t, {}, service);
  const { engine, agent, url, apiKey, api } = service;
  agent.onCall = (method, args) => {
    if (method.startsWith('tabs.') && args.length % 2 === 1)
      return { error: { code: 'tab_error', message: 'No tab with id: 7.' } };
    return { value: /^(?:dialogs|windows)\.list$/.test(method) ? [] : { method, args } };
  };
  agent.onRequest = answerAsAgent;
  let starts = 0;
  engine.refusal = () => {
    starts++;
    if (starts % 40 === 0) return new EngineError('refused', FAULTS.start_failed);
    return starts % 41 === 0 ? new EngineError('unavailable', FAULTS.engine_unavailable) : null;
  };

  const plans = fc.sample(planOf(session.id, shortLived.id, session.embedToken), { seed, numRuns: REQUESTS });
  const check = checker();
  const counts = new Map<string, number>();
  const send = async (plan: Plan) => {
    const { operation, path, query, body, headers } = plan;
    const method = operation.method.toUpperCase();
    const response = await fetch(`${url}${path}${query}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      redirect: 'manual',
      ...(body === undefined || method === 'GET' ? {} : { body }),
    });
    // A feed has no end.
    const isFeed = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isFeed) await response.body?.cancel();
    const text = isFeed ? '' : await response.text();
    const wrong = check(operation, path, response, text);
    if (wrong !== null)
      t.fail(wrong, { method, path, query, body: body?.slice(0, 500), headers, answer: text.slice(0, 500) });
    counts.set(`${operation.id} ${response.status}`, (counts.get(`${operation.id} ${response.status}`) ?? 0) + 1);
    if (operation.id.startsWith('start') && response.status < 300) {
      const { session_id: id } = JSON.parse(text) as { session_id: string };
      if (id !== session.id) await api('DELETE', `/v0/vm/${id}`).then(answer => answer.text());
    }
  };
  const queue = [...plans];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let plan = queue.shift(); plan !== undefined; plan = queue.shift()) await send(plan);
    }),
  );

  for (const { id } of operations) {
    const statuses = [...counts.keys()].filter(key => key.startsWith(`${id} `));
    t.ok(statuses.length > 0, `${id}: ${statuses.map(key => `${key.split(' ')[1]}×${counts.get(key)}`).join(' ')}`);
  }
  t.ok((counts.get('startChromium 201') ?? 0) > 100, 'many starts were valid');
  t.ok((counts.get('startChromium 400') ?? 0) > 100, 'many starts were not');
  await api('DELETE', `/v0/vm/${shortLived.id}`).then(answer => answer.text());
  await until('no session is left but the one that was not ended', () => engine.running.size === 1);
  t.same([...engine.running], [session.id]);
  t.equal((await api('GET', '/readyz')).status, 200);
});

/** A tar archive ends with two empty blocks. */
const EMPTY_ARCHIVE = Buffer.alloc(1024);

/** What an agent answers to requests that it can carry out. */
function answerAsAgent(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const [path = ''] = (request.url ?? '').split('?');
  const json = (body: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  request.on('end', () => {
    if (request.method === 'PUT') response.writeHead(204).end();
    else if (path === '/profile') response.writeHead(200, { 'content-type': 'application/x-tar' }).end(EMPTY_ARCHIVE);
    else if (path === '/screenshot') response.writeHead(200, { 'content-type': 'image/png' }).end('PNG');
    else if (path === '/bookmarks') json({ appended: 0 });
    else if (/^\/(uploads|folders)\//.test(path)) json({ id: 'upload' });
    else if (path === '/downloads') json({ downloads: [] });
    else if (path.startsWith('/clipboard/')) response.writeHead(200, { 'content-length': 3 }).end('PNG');
    else
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"code":"download_not_found","message":"There is no such file."}');
  });
}

/** Makes requests to all calls; the session of most is the one given. */
function planOf(sessionId: string, shortLived: string, token: string): fc.Arbitrary<Plan> {
  const id = fc.oneof(
    { weight: 8, arbitrary: fc.constant(sessionId) },
    fc.constant('A'.repeat(22)),
    fc.string({ maxLength: 30 }),
  );
  const idOf = (operation: Operation) => {
    if (operation.id === 'endSession') return fc.constant('A'.repeat(22));
    return operation.id === TIMEOUTS ? fc.oneof(fc.constant(shortLived), fc.string({ maxLength: 30 })) : id;
  };
  const plans = operations.map(operation => ({
    weight: RARE.has(operation.id) ? 1 : operation.id === 'startChromium' ? 40 : 8,
    arbitrary: fc
      .record({
        path: pathOf(operation, idOf(operation)),
        query: operation.security.includes('embedToken')
          ? fc.constantFrom('', '?token=x', `?token=${token}`)
          : queryOf(operation),
        body: bodyOf(operation),
        headers: fc.oneof(
          { weight: 12, arbitrary: fc.constant({}) },
          fc.constantFrom<Record<string, string>>(
            { prefer: 'handling=lenient' },
            { 'idempotency-key': 'order-17' },
            { 'idempotency-key': 'not valid' },
            { authorization: 'Bearer wrong' },
            { 'content-type': 'text/plain' },
            { 'content-type': 'application/json; charset=x' },
          ),
        ),
      })
      .map(({ headers, ...rest }) => ({
        operation,
        ...rest,
        headers: {
          ...(rest.body === undefined
            ? {}
            : { 'content-type': Object.keys(operation.body?.content ?? {})[0] ?? 'application/json' }),
          ...headers,
        },
      })),
  }));
  return fc.oneof(...plans);
}

function pathOf(operation: Operation, id: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '');
  const values = names.map(name => {
    if (name === 'session_id') return id;
    const parameter = operation.parameters?.find(each => each.name === name);
    const fitting =
      typeof parameter?.schema === 'string' ? fromSchema(parameter.schema) : arbitrary(parameter?.schema ?? {}, '');
    return fc.oneof({ weight: 4, arbitrary: fitting.map(String) }, fc.string({ maxLength: 30 }));
  });
  return fc
    .tuple(...values)
    .map(given => operation.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(given[names.indexOf(name)] ?? '')));
}

/** A segment of an address. None can be empty or, however it is written, `.` or `..`: clients take these out before they send. */
const segment = (value: string) => (/^\.{0,2}$/.test(value) ? '%00' : encodeURIComponent(value));

function queryOf(operation: Operation): fc.Arbitrary<string> {
  const names = (operation.parameters ?? [])
    .filter(each => each.in === 'query')
    .map(({ name, schema }) => [name, schema] as const);
  const fitting =
    operation.query !== undefined
      ? fromSchema(operation.query)
      : fc.record(
          Object.fromEntries(
            names.map(([name, schema]) => [
              name,
              typeof schema === 'string' ? fromSchema(schema) : arbitrary(schema, ''),
            ]),
          ),
          { requiredKeys: [] },
        );
  const text = (value: unknown) => {
    const entries = Object.entries(value ?? {}).map(([key, each]) => [
      key,
      typeof each === 'string' ? each : (JSON.stringify(each) ?? ''),
    ]);
    const query = String(new URLSearchParams(entries)).slice(0, 3000);
    return query === '' ? '' : `?${query}`;
  };
  return fc.oneof(
    { weight: 3, arbitrary: fitting.map(text) },
    broken(fitting).map(text),
    fc.constantFrom('?', '?a[b]=1', '?%', '?x=%ff'),
  );
}

function bodyOf(operation: Operation): fc.Arbitrary<string | undefined> {
  const [, media] = Object.entries(operation.body?.content ?? {})[0] ?? [];
  if (media === undefined) return fc.constant(undefined);
  const values = typeof media.schema === 'string' ? fromSchema(media.schema) : arbitrary(media.schema, '');
  const asText = (value: unknown) => JSON.stringify(value) ?? '';
  return fc.oneof(
    { weight: 5, arbitrary: values.map(asText) },
    { weight: 5, arbitrary: broken(values).map(asText) },
    { weight: 1, arbitrary: fc.tuple(values.map(asText), fc.nat(100)).map(([text, at]) => text.slice(0, at)) },
    { weight: 1, arbitrary: fc.string() },
  );
}

/** Whether an address is one that the description has for the call: the values of a parameter may be listed there. */
function fits(operation: Operation, path: string): boolean {
  const parts = operation.path.split(/\{(\w+)\}/).map((part, i) => {
    if (i % 2 === 0) return part.replaceAll('.', '\\.');
    const schema = operation.parameters?.find(({ name }) => name === part)?.schema;
    const { enum: listed } = (typeof schema === 'object' ? schema : {}) as { enum?: string[] };
    return listed === undefined ? '[^/]+' : `(?:${listed.join('|')})`;
  });
  return new RegExp(`^${parts.join('')}$`).test(path);
}

/** Says what is wrong with an answer, if anything is: each must be one that the description has. */
function checker(): (operation: Operation, path: string, response: Response, text: string) => string | null {
  const document = openApiDocument('0.0.0') as unknown as OpenApi;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  return (operation, path, response, text) => {
    const { status } = response;
    const json = /json/.test(response.headers.get('content-type') ?? '')
      ? (JSON.parse(text) as { code?: string; message?: string })
      : null;
    if (status >= 400) {
      if (json?.code === undefined)
        return PAGES.has(operation.id) && /^text\/html/.test(response.headers.get('content-type') ?? '')
          ? null
          : `${status} without an error body`;
      const isFault = Object.entries(FAULTS).some(([code, message]) => json.code === code && json.message === message);
      if (status >= 500 && !isFault) return `${status} ${json.code}: ${json.message}`;
      if (/\n\s+at /.test(text)) return 'a stack trace';
    }
    if (json?.code === 'not_found')
      return fits(operation, path) ? `${operation.id} is not found at its own address` : null;
    const described = document.paths[operation.path]?.[operation.method]?.responses[status];
    if (described === undefined)
      return `${operation.id} answered ${status} ${json?.code ?? ''}, which it does not describe`;
    if (status >= 400 && !described.description.includes(`\`${json?.code}\``))
      return `${operation.id} answered ${json?.code}, which it does not describe`;
    const media = Object.keys(described.content ?? {})[0];
    if (json === null || media === undefined) return null;
    const step = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
    const pointer = [
      'paths',
      operation.path,
      operation.method,
      'responses',
      String(status),
      'content',
      media,
      'schema',
    ];
    const validate = ajv.getSchema(`document#/${pointer.map(step).join('/')}`);
    if (validate === undefined) return `no schema at ${pointer.join('/')}`;
    return validate(json) ? null : `${operation.id} ${status}: ${JSON.stringify(validate.errors)}`;
  };
}
