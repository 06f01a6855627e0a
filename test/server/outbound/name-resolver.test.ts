/** Names that others chose, asked of name servers on loopback that answer, or do not. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { NameResolver } from '../../../src/server/outbound/name-resolver.js';
import { meaningsOf, parseHosts, parseSearch } from '../../../src/server/outbound/system-files.js';
import { nameServer, type NameRecord } from '../../fixtures/networks/name-server.js';
import { until } from '../../fixtures/until.js';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** A resolver that asks the given server alone, with system files of its own. */
async function resolver(t: Test, names: Record<string, NameRecord>, files: { hosts?: string; resolv?: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'berth-test-names-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const [hostsFile, resolvFile] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  await writeFile(hostsFile, files.hosts ?? '127.0.0.1 localhost\n');
  await writeFile(resolvFile, files.resolv ?? 'search .\n');
  const server = await nameServer(t, names);
  const made = new NameResolver({ servers: [server.address], hostsFile, resolvFile });
  const resolve = (name: string, signal = AbortSignal.timeout(20_000)) => made.resolve(name, signal);
  return { resolve, asked: server.asked, server, hostsFile, resolvFile };
}

t.test('a name has the addresses of both families, IPv4 first', async t => {
  const { resolve } = await resolver(t, {
    'both.example': ['2001:db8::1', '192.0.2.1'],
    'six.example': ['2001:db8::2'],
  });
  t.same(await resolve('both.example'), ['192.0.2.1', '2001:db8::1']);
  t.same(await resolve('six.example'), ['2001:db8::2']);
  await t.rejects(resolve('none.example'), { name: 'NameError', code: 'ENOTFOUND' });
  await t.rejects(resolve('a..b'), { name: 'NameError' }, 'not a name at all');
});

t.test('names whose server does not answer hold up no others, and end after some seconds', async t => {
  const names: Record<string, NameRecord> = { 'good.example': ['192.0.2.1'], 'good.silent.example': ['192.0.2.2'] };
  const lost = Array.from({ length: 31 }, (_, i) => `a${i}.silent.example`);
  // So many that all questions fit into what the server's socket holds: it must not lose those that it answers.
  const others = Array.from({ length: 60 }, (_, i) => `www.silent${i}.example`);
  for (const name of [...lost, ...others]) names[name] = 'silent';
  const { resolve } = await resolver(t, names);
  let ended = 0;
  const ends = [...lost, ...others].map(name =>
    resolve(name)
      .then(() => null, codeOf)
      .finally(() => ended++),
  );
  t.same(await resolve('good.example'), ['192.0.2.1']);
  t.same(await resolve('good.silent.example'), ['192.0.2.2'], 'not even in the same domain');
  t.equal(ended, 0, 'before the first of them is given up');
  t.same(new Set(await Promise.all(ends)), new Set(['ETIMEOUT']));
});

t.test('look-ups in one domain are limited, and one that waits can be given up', async t => {
  const names = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`a${i}.example.test`, 'silent' as const]));
  const { resolve, asked } = await resolver(t, { ...names, 'good.example': ['192.0.2.1'] });
  const leaving = new AbortController();
  const ends = Object.keys(names).map(name =>
    resolve(name, AbortSignal.any([leaving.signal])).then(() => null, codeOf),
  );
  await resolve('good.example');
  t.equal(new Set(asked).size, 33);
  leaving.abort();
  await Promise.all(ends);
  await t.rejects(resolve('none.example.test'), { code: 'ENOTFOUND' }, 'there is room again');
});

t.test('one name is looked up once for all who ask for it at the same time', async t => {
  const { resolve, asked } = await resolver(t, { 'good.example': ['192.0.2.1'] });
  await Promise.all(Array.from({ length: 50 }, () => resolve('good.example')));
  t.equal(asked.length, 2, 'once for each family');
  await resolve('good.example');
  t.equal(asked.length, 4, 'what it meant is not remembered');
});

t.test('a failure is remembered for some seconds', async t => {
  const names: Record<string, NameRecord> = {};
  const { resolve, asked } = await resolver(t, names);
  await t.rejects(resolve('late.example'), { code: 'ENOTFOUND' });
  names['late.example'] = ['192.0.2.1'];
  await t.rejects(resolve('late.example'), { code: 'ENOTFOUND' });
  t.equal(asked.length, 2);
  await until('it is asked for again', () => resolve('late.example').catch(() => null), 10_000);
});

t.test('a look-up is cancelled with the last who waits for it, and is no failure', async t => {
  const names: Record<string, NameRecord> = { 'slow.example': 'silent' };
  const { resolve, asked } = await resolver(t, names);
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = [one, two].map(({ signal }) =>
    resolve('slow.example', signal).then(
      () => 'found',
      (error: Error) => error.name,
    ),
  );
  await until('it is asked for', () => asked.length === 2);
  one.abort();
  t.equal(await waiting[0], 'AbortError');
  two.abort();
  t.equal(await waiting[1], 'AbortError');
  names['slow.example'] = ['192.0.2.1'];
  t.same(await resolve('slow.example'), ['192.0.2.1']);
});

t.test('a server that answers for one family only delays the addresses that it has by little', async t => {
  const { resolve } = await resolver(t, {
    'four.example': { addresses: ['192.0.2.1'], silent: 6 },
    'none.example': 'silent',
  });
  const first = await Promise.race([resolve('none.example').catch(() => 'given up'), resolve('four.example')]);
  t.same(first, ['192.0.2.1']);
});

t.test('where one name server refuses, the next is asked', async t => {
  const refusing = await nameServer(t, { 'good.example': 'refused' });
  const knowing = await nameServer(t, { 'good.example': ['192.0.2.1'] });
  const names = new NameResolver({ servers: [refusing.address, knowing.address] });
  t.same(await names.resolve('good.example', AbortSignal.timeout(5000)), ['192.0.2.1']);
});

t.test('the hosts file comes first, and is read again when it has changed', async t => {
  const { resolve, asked, hostsFile } = await resolver(
    t,
    { 'backend.example': ['192.0.2.9'] },
    { hosts: '# comment\n10.0.0.7 Backend.example backend # its names\nfd00::7 backend\nnonsense backend\n' },
  );
  t.same(await resolve('backend.example'), ['10.0.0.7']);
  t.same(await resolve('backend'), ['10.0.0.7', 'fd00::7']);
  t.same(await resolve('localhost'), ['127.0.0.1', '::1'], 'in no file');
  t.same(asked, []);
  await writeFile(hostsFile, '10.0.0.88 backend\n');
  t.same(await resolve('backend'), ['10.0.0.88']);
  t.same(await resolve('backend.example'), ['192.0.2.9']);
});

t.test('domains may be left out, as in containers and clusters', async t => {
  const { resolve, asked } = await resolver(
    t,
    { 'backend.apps.svc.cluster.test': ['10.96.0.7'], 'www.example.com': ['192.0.2.1'] },
    { resolv: 'nameserver 10.96.0.10\nsearch berth.svc.cluster.test svc.cluster.test cluster.test\noptions ndots:5\n' },
  );
  t.same(await resolve('backend.apps'), ['10.96.0.7']);
  t.same(await resolve('www.example.com'), ['192.0.2.1']);
  asked.length = 0;
  t.same(await resolve('www.example.com.'), ['192.0.2.1'], 'with a dot at its end it is complete');
  t.same(new Set(asked), new Set(['www.example.com']));
  await t.rejects(resolve('nobody.apps'), { code: 'ENOTFOUND' });
});

t.test('the system files are understood as resolv.conf(5) and hosts(5) have them', t => {
  t.same(parseSearch('', 'host.corp.example'), { domains: ['corp.example'], ndots: 1 });
  t.same(parseSearch('search a.example b.example. ; c\ndomain d.example\n', 'host'), {
    domains: ['d.example'],
    ndots: 1,
  });
  t.same(parseSearch('# x\noptions timeout:1 ndots:99\nsearch .', 'host'), { domains: [], ndots: 15 });
  const rules = { domains: ['a', 'b'], ndots: 2 };
  t.same(meaningsOf('x.y', rules), ['x.y.a', 'x.y.b', 'x.y']);
  t.same(meaningsOf('x.y.z', rules), ['x.y.z', 'x.y.z.a', 'x.y.z.b']);
  t.same(meaningsOf('x.', rules), ['x']);
  t.same(
    [...parseHosts('::1 a\n127.0.0.1\ta\tb\n')],
    [
      ['a', ['::1', '127.0.0.1']],
      ['b', ['127.0.0.1']],
    ],
  );
  t.end();
});
