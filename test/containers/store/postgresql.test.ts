// tags: containers
/** The tests of the store, which use SQLite otherwise, on PostgreSQL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { postgresql } from '../../fixtures/services/postgresql.js';

for (const file of ['store', 'session-pages', 'events']) {
  t.test(`the tests of the ${file} pass on PostgreSQL`, async t => {
    const { outside } = await postgresql(t);
    // What tap tells those that it starts itself would have it look for this file's output.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^_?TAP/.test(name)));
    const tests = spawn(process.execPath, ['--import=tsx', `test/server/store/${file}.test.ts`], {
      env: { ...env, BERTH_TEST_POSTGRES_URL: outside, TAP_TIMEOUT: '300' },
    });
    let told = '';
    for (const stream of [tests.stdout, tests.stderr]) stream.on('data', chunk => (told += String(chunk)));
    const [status] = (await once(tests, 'close')) as [number | null];
    t.equal(status, 0, 'they pass', { told });
    t.match(told, /^ok /m);
  });
}
