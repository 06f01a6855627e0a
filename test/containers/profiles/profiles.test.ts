// tags: containers
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { containersOf } from '../../fixtures/engines/docker.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';
import { bookmarkAndOpen, end, logIn, profileHolds, start } from './session.js';
import { Site } from './site.js';

const service = await startService(t, { BERTH_EGRESS: 'open', BERTH_PROFILE_CHECKPOINT: '0' });
const site = await Site.open(t);
const files = () => readdir(join(service.dataDir, 'profiles')).catch(() => []);

t.test('bookmarks, history, cookies, site data and tabs are restored in another session', async t => {
  const first = await logIn(service, site);
  t.same(site.visits[0], { path: '/login', cookies: '', mark: null, record: null });
  await bookmarkAndOpen(service, first, site, '/second');
  t.same(await files(), [], 'nothing is kept before the end');
  t.equal((await end(service, first.id)).status, 200);
  t.same(await files(), [`${first.id}.profile`], 'the answer comes when it is saved');
  t.same(await containersOf(service), []);
  const kept = await readFile(join(service.dataDir, 'profiles', `${first.id}.profile`));
  t.notOk(
    ['login', 'basket', 'mark', 'second'].some(word => kept.includes(word)),
    'it is encrypted',
  );
  t.comment(`${kept.length} bytes`);

  site.visits.length = 0;
  const again = await start(service, { profile: { load: first.id } });
  for (const path of ['/login', '/second']) {
    const [visit] = await until(`${path} is restored`, () => site.of(path).length > 0 && site.of(path));
    t.match(visit, { mark: 'kept', record: 'kept' }, path);
    t.match(visit?.cookies, /login=yes/);
    t.match(visit?.cookies, /basket=full/, 'the restored tabs have their session cookies');
  }
  t.ok(await profileHolds(service, again.id, 'Default/Bookmarks', site.at('/login')));
  t.ok(await profileHolds(service, again.id, 'Default/History', site.at('/second')));
  const before = await readFile(join(service.dataDir, 'profiles', `${first.id}.profile`));
  await end(service, again.id);
  t.same(await files(), [`${first.id}.profile`]);
  t.ok(before.equals(await readFile(join(service.dataDir, 'profiles', `${first.id}.profile`))), 'only loaded');

  site.visits.length = 0;
  const page = await start(service, { profile: { load: first.id }, start_url: site.at('/third') });
  const [visit] = await until('the start page', () => site.of('/third').length > 0 && site.of('/third'));
  t.match(visit, { mark: 'kept', cookies: /login=yes/ });
  t.match(visit?.cookies, /basket=full/, 'logins for the time of a session go on too');
  t.same(site.of('/second'), [], 'the tabs of then stay closed');
  t.ok(await profileHolds(service, page.id, 'Default/Bookmarks', site.at('/login')));
  await end(service, page.id);
});
