// tags: containers
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { containerOf } from '../../fixtures/engines/docker.js';
import { startService } from '../../fixtures/services/service.js';

const run = promisify(execFile);
const [UNIX, INET, INET6, NETLINK] = [1, 2, 10, 16];
const [ROUTE, TCP, UDP] = [0, 6, 17];

const service = await startService(t);
const { body } = await service.api('POST', '/v0/vm');
const probe = await readFile(new URL('../../fixtures/engines/system-calls.pl', import.meta.url), 'utf8');
const { stdout } = await run('docker', ['exec', containerOf(service, body.session_id), 'perl', '-e', probe]);
const outcomes = [...stdout.matchAll(/^(\w+) (.*): (.*)$/gm)];

for (const place of ['outside', 'inside']) {
  const all = new Map(
    outcomes.filter(([, where]) => where === place).map(([, , what = '', outcome = '']) => [what, outcome]),
  );
  const allowed = (kind: string) =>
    [...all]
      .filter(([what, outcome]) => what.startsWith(`${kind} `) && outcome === 'ok')
      .map(([what]) => what.slice(kind.length + 1));

  t.test(
    `${place} a user namespace of its own, a session's program opens only sockets that Chromium needs`,
    async t => {
      t.same(allowed('family').map(Number), [UNIX, INET, INET6, NETLINK]);
      t.same(allowed('netlink').map(Number), [ROUTE]);
      t.same(allowed('raw'), []);
      t.same(allowed('pair').map(Number), [UNIX]);
      t.same(
        allowed('stream'),
        [INET, INET6].flatMap(family => [`${family} 0`, `${family} ${TCP}`]),
      );
      t.same(
        allowed('datagram'),
        [INET, INET6].flatMap(family => [`${family} 0`, `${family} ${UDP}`]),
      );
      // Refused by the filter, not for want of a module in this kernel or of a right.
      for (const what of ['family 17', 'family 38', 'family 40', 'netlink 6', 'netlink 12', 'raw 2', 'stream 2 132'])
        t.equal(all.get(what), 'Operation not permitted', what);
    },
  );

  t.test(`${place} one it can create only the namespaces that Chromium's sandbox needs`, async t => {
    t.same(allowed('unshare'), ['user']);
    t.same(allowed('clone'), place === 'inside' ? ['pid', 'user', 'user+pid+net'] : ['user', 'user+pid+net']);
    t.equal(all.get('clone3'), 'Function not implemented');
    t.equal(all.get('setns'), 'Operation not permitted');
  });
}
