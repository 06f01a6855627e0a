// tags: containers
/** A client that a public generator makes of the OpenAPI document: it compiles, and drives a session. */
import { createClient } from '@hey-api/openapi-ts';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { containersOf } from '../../fixtures/engines/docker.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

const run = promisify(execFile);
const TSC = resolve('node_modules/typescript/bin/tsc');

/** What an integrator writes with it. It prints one line of JSON: what each call answered. */
const APPLICATION = `
import { client } from './client/client.gen.js';
import { callTabs, endSession, listSessions, readSession, startChromium, takeScreenshot } from './client/index.js';
import type { SessionRecord, StartChromium } from './client/index.js';

// One credential for all calls, whatever else they would take.
client.setConfig({ baseUrl: '@URL@', auth: '@KEY@' });

const options: StartChromium = {
  start_url: 'data:text/html,<title>Generated</title>',
  width: 640,
  height: 400,
  timeout: { absolute: 600, inactive: null },
  metadata: { made_by: 'generator' },
};
// @ts-expect-error: no such field
export const wrong: StartChromium = { colour: 'red' };
// @ts-expect-error: not a time
void listSessions({ query: { created_from: 7 } }).catch(() => undefined);

const { data: started } = await startChromium({ body: options, throwOnError: true });
const path = { session_id: started.session_id };
const { data: listed } = await listSessions({
  query: { metadata: 'made_by=generator', created_from: '2020-01-01', sort: 'newest' },
  throwOnError: true,
});
const { data: running } = await readSession({ path, throwOnError: true });
const { data: tabs } = await callTabs({ path: { ...path, method: 'query' }, body: [{}], throwOnError: true });
const { data: picture } = await takeScreenshot({ path, throwOnError: true });
const png = new Uint8Array(await picture.arrayBuffer()).subarray(1, 4);
const { data: done } = await endSession({ path, throwOnError: true });
const { data: ended } = await readSession({ path, throwOnError: true });
const { error } = await readSession({ path: { session_id: 'A'.repeat(22) } });
const code: string | undefined = error?.code;
const dates = ({ creation_date, termination_date }: SessionRecord) => [typeof creation_date, termination_date === null];
console.log(
  JSON.stringify({
    started: Object.keys(started).sort(),
    listed: listed.results.map(({ id }) => id === started.session_id),
    running: dates(running),
    tabs: Array.isArray(tabs) && tabs.length,
    picture: new TextDecoder().decode(png),
    done: done.session_id === started.session_id,
    ended: [...dates(ended), ended.termination_reason],
    code,
  }),
);
`;

t.test('a generated client compiles strictly, and starts, lists, reads and ends a session', async t => {
  const project = await mkdtemp(join(tmpdir(), 'berth-generated-'));
  t.teardown(() => rm(project, { recursive: true, force: true }));
  const service = await startService(t);

  const described = join(project, 'openapi.json');
  await writeFile(described, await (await fetch(`${service.url}/openapi.json`)).text());
  await createClient({ input: described, output: join(project, 'client'), logs: { level: 'silent', file: false } });

  const application = APPLICATION.replace('@URL@', service.url).replace('@KEY@', service.apiKey);
  await writeFile(join(project, 'application.ts'), application);
  await writeFile(join(project, 'package.json'), '{"type": "module"}');
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'NodeNext',
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: [],
    outDir: 'built',
  };
  const settings = JSON.stringify({ compilerOptions, files: ['application.ts'] });
  await writeFile(join(project, 'tsconfig.json'), settings);
  const compiled = await run(process.execPath, [TSC, '-p', project]).catch((error: { stdout: string }) => error);
  t.equal(compiled.stdout, '', 'it compiles');

  const { stdout } = await run(process.execPath, ['built/application.js'], { cwd: project });
  t.same(JSON.parse(stdout), {
    started: ['admin_token', 'embed_url', 'session_id'],
    listed: [true],
    running: ['string', true],
    tabs: 1,
    picture: 'PNG',
    done: true,
    ended: ['string', false, 'request'],
    code: 'session_not_found',
  });
  await until('its container is gone', async () => (await containersOf(service)).length === 0);
});
