// tags: containers
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { containerOf, containersOf, docker } from '../../fixtures/engines/docker.js';
import { startService, type Service } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

const run = promisify(execFile);
const start = async (service: Service, body: object = {}) => {
  const { status, body: answer } = await service.api('POST', '/v0/vm', body);
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(answer)}`);
  return answer.session_id as string;
};
const lives = async (service: Service, id: string) =>
  (await service.api('GET', `/v0/vm/${id}`)).body.termination_date === null;
const storeOf = (container: string) =>
  docker('inspect', container, '--format', '{{index .Config.Labels "berth.store"}}');
const networks = (instance: string) =>
  docker('network', 'ls', '--filter', `label=berth.instance=${instance}`, '--format', '{{.Name}}');
/** How often the service has said that it is not alone. */
const warned = (service: Service) => service.log().split('another service with the same BERTH_INSTANCE').length - 1;

/** A container as an older version made it, which does not tell whose it is. */
async function unlabelled(t: Test, instance: string, sessionId: string): Promise<string> {
  const labels = ['--label', `berth.instance=${instance}`, '--label', `berth.session=${sessionId}`];
  const name = `${instance}-${sessionId}`;
  t.teardown(() => docker('rm', '-f', name).catch(() => {}));
  await docker('run', '-d', '--name', name, '--network', 'none', ...labels, 'debian:trixie-slim', 'sleep', '600');
  return name;
}

t.test('services with the same instance name and different databases leave each other alone', async t => {
  const a = await startService(t, { BERTH_WARM_POOL: '1' });
  const spares = await until('a container waits', async () => {
    const names = await containersOf(a);
    return names.length === 1 && names;
  });
  const first = await start(a);
  t.equal(containerOf(a, first), spares[0]);
  await until('the next one waits', async () => (await containersOf(a)).length === 2);
  const before = (await containersOf(a)).sort();

  const b = await startService(t, { BERTH_INSTANCE: a.instance });
  await until('it says who else is there', () => warned(b) === 1);
  const line =
    b
      .log()
      .split('\n')
      .find(each => each.includes('another service')) ?? '';
  t.match(JSON.parse(line), { level: 40, containersByStore: { [await storeOf(containerOf(a, first))]: 2 } });
  const second = await start(b);
  t.not(await storeOf(containerOf(a, second)), await storeOf(containerOf(a, first)));

  // Each compares its sessions with the engine's containers when it starts; then the first knows of the second.
  await a.kill9();
  await a.restart();
  await until('the other one is told of the first', () => warned(a) === 1);
  await until('its session goes on', () => a.log().includes('session resumed'));
  await b.kill9();
  await b.restart();
  await until('so does that of the second', () => b.log().includes('session resumed'));
  t.ok((await lives(a, first)) && (await lives(b, second)));
  const now = await containersOf(a);
  t.ok(now.includes(containerOf(a, first)) && now.includes(containerOf(a, second)));
  t.ok(before.includes(containerOf(a, first)));

  await b.teardown();
  t.notOk((await containersOf(a)).includes(containerOf(a, second)), 'a teardown removes its own');
  t.match(b.log(), 'own containers removed; those of other databases are kept');
  t.equal(await networks(a.instance), `${a.instance}-sessions`, 'and leaves what others need');
  t.ok(await lives(a, first));
  t.match(await docker('inspect', containerOf(a, first), '--format', '{{.State.Status}}'), 'running');
  t.ok(await start(a), 'the other one goes on');

  await a.teardown();
  t.same(await containersOf(a), []);
  t.equal(await networks(a.instance), '', 'the last one removes the network');
});

t.test("containers of the previous version belong to their session's owner", async t => {
  const service = await startService(t);
  const known = await start(service);
  await service.api('DELETE', `/v0/vm/${known}`);
  await service.kill9();
  const ours = await unlabelled(t, service.instance, known);
  const unknown = await unlabelled(t, service.instance, 'CCCCCCCCCCCCCCCCCCCCCC');
  await service.restart();
  await until('what is left of an own session is removed', async () => !(await containersOf(service)).includes(ours));
  await until('it says that there is another', () => warned(service) === 1);
  t.same(await containersOf(service), [unknown]);
  await service.teardown();
  t.same(await containersOf(service), [unknown], 'nor does a teardown take it');
  const env = { PATH: process.env['PATH'], BERTH_DATA_DIR: service.dataDir, BERTH_INSTANCE: service.instance };
  await run(process.execPath, ['dist/server.js', 'teardown', '--all'], { env });
  t.same(await containersOf(service), [], 'unless it is told to');
  t.equal(await networks(service.instance), '');
});
