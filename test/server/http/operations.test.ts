import { readFile } from 'node:fs/promises';
import t from 'tap';
import { CALLS } from '../../../src/protocol/calls.js';
import { operations } from '../../../src/server/http/operations/index.js';

t.test('each path has the parameters that are described, and those of a session its ID', async t => {
  for (const { id, path, parameters = [], credential } of operations) {
    const described = parameters.filter(parameter => parameter.in === 'path').map(({ name }) => name);
    t.same(
      described,
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      id,
    );
    if (!['none', 'apiKey'].includes(credential)) t.ok(described.includes('session_id'), id);
  }
});

/** What only a viewer calls: for itself, or where others have a request for the same. */
const VIEWERS_OWN = ['takeSeat', 'leaveSeat', 'disconnectUser'];

t.test(
  'every call that viewers can make over their sockets is an operation, but those that only they make',
  async t => {
    const paths = operations.flatMap(({ path, parameters = [] }) => {
      const { schema } = parameters.find(({ name }) => name === 'method') ?? {};
      const methods = (schema as { enum?: string[] } | undefined)?.enum;
      return methods?.map(method => path.replace('{method}', method)) ?? [path];
    });
    for (const method of Object.keys(CALLS))
      t.equal(paths.includes(`/s/{session_id}/${method}`), !VIEWERS_OWN.includes(method), method);
  },
);

t.test('every event of the audit log is explained to operators', async t => {
  const page = await readFile('docs/reference/logs-and-metrics.md', 'utf8');
  for (const { id, audit } of operations) {
    const event = typeof audit === 'function' ? audit({ session_id: '', method: '' }).event : audit;
    if (event !== null) t.ok(page.includes(`\`${event}\``), `${id}: ${event}`);
  }
});
