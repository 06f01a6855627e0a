// tags: containers, cluster
/** Sessions as Pods of a real cluster, from a service outside of it: agents are reached through the API server. */
import t from 'tap';
import { playsBoth } from '../fixtures/viewers/both-kinds.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { testCluster } from '../fixtures/kubernetes/cluster.js';
import { serveCards } from '../fixtures/consoles/cards.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';

const cluster = await testCluster(t);
const origin = await serveCards(t);
const service = await startService(t, { ...cluster.env, BERTH_ROM_ALLOW_PRIVATE: 'true' });

const start = async () => {
  const { status, body } = await service.api('POST', '/v0/vm');
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(body)}\n${service.log()}`);
  return body as { session_id: string; embed_url: string; admin_token: string };
};

const record = async (id: string) => (await service.api('GET', `/v0/vm/${id}`)).body;
const ended = (id: string) => until('the session has ended', async () => (await record(id)).termination_date !== null);

t.test('a browser runs in a Pod, shows its picture and goes', async t => {
  const { session_id: id, admin_token: token } = await start();
  const [pod = '', ...others] = await cluster.pods();
  t.equal(others.length, 0);
  t.equal(await cluster.kubectl('get', 'pod', pod, '--output=jsonpath={.metadata.labels.berth\\.session}'), id);
  const picture = await fetch(`${service.url}/s/${id}/screenshot`, { headers: { authorization: `Bearer ${token}` } });
  t.same([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
  t.ok((await picture.arrayBuffer()).byteLength > 1000);

  const says = async (script: string) => (await cluster.inPod(pod, script)).trim();
  t.equal(await says('id -u'), '1000');
  const status = await says('cat /proc/1/status');
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd']) t.match(status, new RegExp(`${set}:\\s+0{16}`), set);
  t.match(status, /NoNewPrivs:\s+1/);
  t.match(status, /Seccomp:\s+2/);
  t.equal(await says('touch /opt/berth/x 2>/dev/null || echo closed'), 'closed', 'the root is read-only');
  t.equal(await says('ls /var/run/secrets/kubernetes.io 2>/dev/null || echo none'), 'none', 'no token');

  t.equal((await service.api('DELETE', `/v0/vm/${id}`)).status, 200);
  await until('the Pod is gone', async () => (await cluster.pods()).length === 0);
});

t.test('a browser and a console are watched and used', async t => playsBoth(t, service, await openBrowser(t), origin));

t.test('the service is killed under a session, and goes on with it', async t => {
  const { session_id: id } = await start();
  await service.restart();
  await until('it is resumed', () => service.log().includes('session resumed'));
  t.equal((await record(id)).termination_date, null);
  await service.api('DELETE', `/v0/vm/${id}`);
});

t.test('a Pod that somebody removes ends its session, with a warning before', async t => {
  const { session_id: id } = await start();
  const [pod = ''] = await cluster.pods(id);
  await cluster.kubectl('delete', 'pod', pod, '--wait=false', '--grace-period=6');
  await ended(id);
  const { termination_reason: reason, termination_message: message } = await record(id);
  t.equal(reason, 'crashed');
  t.match(message, /taken out of service/);
});

t.test('what a cluster cannot do is said in its words', async t => {
  await cluster.kubectl('create', 'quota', 'none', '--hard=pods=0');
  // Quotas count only once a controller has seen them.
  const admits = () =>
    cluster.kubectl('run', 'none', '--image=none', '--dry-run=server').then(
      () => true,
      () => false,
    );
  await until('the quota counts', async () => !(await admits()));
  const full = await service.api('POST', '/v0/vm');
  t.same([full.status, full.body.code], [429, 'capacity']);
  t.match(full.body.message, /exceeded quota: none/);
  await cluster.kubectl('delete', 'quota', 'none');
});
