import t from 'tap';
import { startSession } from '../../fixtures/services/session-host.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const toAll = (change: 'addRoles' | 'removeRoles', role: string) => [change, [[], [role], true]] as const;

t.test('a change of the defaults for later viewers is answered once stored', async t => {
  const { host } = await startSession(t);
  const waiting: (() => void)[] = [];
  host.keeping = () => new Promise(resolve => waiting.push(resolve));
  let answered = 0;
  const changes = (['control', 'resize'] as const).map(role =>
    host.perform(...toAll('removeRoles', role)).then(() => answered++),
  );
  for (const before of [0, 1]) {
    const isKept = await until('the change is to be kept', () => waiting.shift());
    t.same([waiting.length, answered], [0, before], 'one after the other');
    isKept();
    await until('it is answered', () => answered > before);
  }
  await Promise.all(changes);
  t.same(host.defaults.at(-1)?.roles, ['chrome_apis']);
});

t.test('a change that cannot be stored is an error, changes no access, and does not block the next one', async t => {
  const { host, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  host.keeping = () => Promise.reject(new Error('the database is down'));
  await t.rejects(host.perform(...toAll('removeRoles', 'control')), { message: 'the database is down' });
  host.keeping = () => Promise.resolve();
  await host.perform(...toAll('addRoles', 'file_upload'));
  const roles = ['chrome_apis', 'resize', 'control', 'file_upload'];
  t.same(host.defaults, [{ roles, control_disabled: false }]);
  await viewer.heard('access', access => access.roles.includes('file_upload'));
  t.ok(
    viewer.all('access').every(access => access.roles.includes('control')),
    'it has heard of no other change',
  );
});
