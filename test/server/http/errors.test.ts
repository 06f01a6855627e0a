import t from 'tap';
import { type ErrorCode, errorTable, HttpError } from '../../../src/server/model/errors.js';
import { StoreError } from '../../../src/server/store/errors.js';
import { toHttpError } from '../../../src/server/http/errors.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { until } from '../../fixtures/until.js';

const codeOf = async (answer: Promise<Response>) => {
  const response = await answer;
  return [response.status, ((await response.json()) as { code: string }).code];
};

/** Lasts until the signal, and fails with its reason. */
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

t.test('a start that takes too long is answered with 504 and leaves nothing behind', async t => {
  const { api, engine } = await serveInProcess(t, { BERTH_START_TIMEOUT: '1' });
  engine.hold = signal => aborted(signal);
  t.same(await codeOf(api('POST', '/v0/vm')), [504, 'start_timeout']);
  t.same(await (await api('GET', '/v0/vm')).json(), { results: [], next: null });
});

t.test('a start that is cut off by the service stopping is answered with 503', async t => {
  const { api, engine, service } = await serveInProcess(t);
  let begun = false;
  engine.hold = signal => {
    begun = true;
    return aborted(signal);
  };
  const answer = codeOf(api('POST', '/v0/vm'));
  await until('the start is under way', () => begun);
  await service.stop();
  t.same(await answer, [503, 'stopping']);
});

t.test('an unreachable database is reported without its own error text', async t => {
  for (const code of ['SQLITE_BUSY', 'SQLITE_FULL', 'ECONNREFUSED', '57P01']) {
    const error = toHttpError(
      new StoreError(Object.assign(new Error('postgres://user:secret@host'), { code }), 'find'),
    );
    t.same([error.status, error.code], [503, 'store_unavailable']);
    t.notMatch(JSON.stringify(error.body), /secret/);
  }
});

t.test('whatever passes by itself says when to try again', async t => {
  for (const [code, [status]] of Object.entries(errorTable)) {
    const { retryAfter } = toHttpError(new HttpError(code as ErrorCode));
    if (code !== 'rate_limited') t.equal(retryAfter !== undefined, status === 429 || status === 503, code);
  }
  const { api, engine } = await serveInProcess(t);
  engine.ping = () => Promise.reject(new Error('It does not answer.'));
  const answer = await api('GET', '/readyz');
  t.same([answer.status, answer.headers.get('retry-after')], [503, '1']);
});

t.test('an unexpected error is answered as internal, without details', async t => {
  for (const thrown of [new TypeError('secret of /srv/berth'), 'secret', null, undefined, 7]) {
    const error = toHttpError(thrown);
    t.ok(error instanceof HttpError);
    t.same([error.status, error.code], [500, 'internal']);
    t.notMatch(JSON.stringify(error.body), /secret/);
  }
});

t.test('an address that is not properly encoded is answered with 400', async t => {
  const { api } = await serveInProcess(t);
  t.same(await codeOf(api('GET', '/v0/vm/%E0%A4%A')), [400, 'bad_request']);
});

t.test('requests are logged with their paths, but neither queries nor credentials in them', async t => {
  const { api, log } = await serveInProcess(t, { BERTH_LOG_LEVEL: 'info' });
  await (await api('GET', '/v0/vm/https://user:SECRET@host/x?token=SECRET')).text();
  await until('the request is logged', () => log().includes('"msg":"request"'));
  t.notMatch(log(), /SECRET/);
  const line = log()
    .split('\n')
    .find(each => each.includes('"msg":"request"'));
  t.match(JSON.parse(line ?? ''), {
    method: 'GET',
    path: '/v0/vm/https://[secret]@host/x',
    status: 404,
    request: /^[\w-]{36}$/,
    time: /^\d{4}-/,
  });
});
