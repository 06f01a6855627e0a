// tags: containers, slow
import t from 'tap';
import { namesOf } from '../../../src/server/engines/docker/names.js';
import { startService, type Service } from '../../fixtures/services/service.js';
import { containerOf, docker, shell } from '../../fixtures/engines/docker.js';
import { addressOf, neighbour, packetFilter } from '../../fixtures/networks/neighbour.js';
import { until } from '../../fixtures/until.js';

/** A program that says whether a TCP connection is made within 2 s. */
const connect = (host: string, port: number) =>
  `node -e "const s=require('net').connect(${port},'${host}');s.on('connect',()=>{console.log('reached');process.exit()});s.on('error',e=>{console.log(e.code);process.exit()});setTimeout(()=>{console.log('silence');process.exit()},2000)"`;

async function startSession(service: Service): Promise<{ id: string; container: string }> {
  const { status, body } = await service.api('POST', '/v0/vm');
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(body)}`);
  return { id: body.session_id, container: containerOf(service, body.session_id) };
}

const start = async (service: Service) => (await startSession(service)).container;

const mark = `berth-test-${process.pid}`;

t.test('from inside a session', async t => {
  const allowed = await neighbour(t, `${mark}-allowed`);
  const closed = await neighbour(t, `${mark}-closed`);
  const service = await startService(t, { BERTH_EGRESS_ALLOW: allowed.address });
  const [own, other] = [await start(service), await start(service)];
  const says = async (script: string) => (await shell(own, script)).output.trim();

  t.equal(await says('id -u'), '1000');
  const status = await says('cat /proc/1/status');
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
    t.match(status, new RegExp(`${set}:\\s+0{16}`), set);
  t.match(status, /NoNewPrivs:\s+1/);
  t.match(status, /Seccomp:\s+2/);
  t.not((await shell(own, 'touch /opt/berth/x')).status, 0, 'the root is read-only');
  t.equal((await shell(own, 'touch /tmp/x /run/berth/x /home/berth/x')).status, 0);
  t.equal(await says("cat /proc/net/if_inet6 | grep -v ' lo$' || true"), '', 'no IPv6');
  t.notOk((await says('tr "\\0" "\\n" < /proc/self/environ')).includes(service.apiKey));

  await until('the allowed neighbour listens', async () => (await says(connect(allowed.address, 8000))) === 'reached');
  t.equal(await says(connect(closed.address, 8000)), 'silence', 'another network');
  t.equal(await says(connect(await addressOf(other), 7000)), 'silence', "another session's agent");
  const gateway = await docker('inspect', own, '--format', '{{range .NetworkSettings.Networks}}{{.Gateway}}{{end}}');
  t.equal(await says(connect(gateway, Number(new URL(service.url).port))), 'silence', "the host's own ports");
});

t.test('the rules cover what is not tried here, and are removed with the service', async t => {
  const service = await startService(t);
  const image = `${process.env['BERTH_IMAGE_PREFIX'] ?? 'berth'}/base:latest`;
  const rules = () => packetFilter(`${mark}-rules`, '$filter -S; $filter6 -S | sed s/^/6/');
  const { bridge, forwardChain, inputChain } = namesOf(service.instance);
  const ours = async () =>
    (await rules()).split('\n').filter(line => [bridge, forwardChain, inputChain].some(name => line.includes(name)));
  const own = await ours();
  for (const range of [
    '169.254.0.0/16',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '168.63.129.16/32',
    '161.26.0.0/16',
    '166.8.0.0/14',
  ]) {
    t.ok(
      own.some(line => line.includes(`-d ${range} -j DROP`)),
      range,
    );
  }
  for (const way of [
    `6-A FORWARD -i ${bridge} -j ${forwardChain}`,
    `6-A INPUT -i ${bridge} -j ${inputChain}`,
    `6-A ${forwardChain} -j DROP`,
  ])
    t.ok(own.includes(way), way);
  const resolver = /^nameserver\s+(\d\S+)/m.exec(
    await docker('run', '--rm', '--name', `${mark}-dns`, '--entrypoint', 'cat', image, '/etc/resolv.conf'),
  )?.[1];
  t.ok(
    own.some(line => line.includes(`-d ${resolver}/32 -p udp -m udp --dport 53 -j ACCEPT`)),
    'DNS at the resolver of the engine',
  );
  await service.restart();
  t.same((await ours()).length, own.length, 'a restart adds nothing');
  await service.teardown();
  t.same(await ours(), [], 'nothing is left');
});

/** Whether a session still runs, and shows its display. */
async function goesOn(service: Service, id: string): Promise<boolean> {
  const { body } = await service.api('GET', `/v0/vm/${id}`);
  const headers = { authorization: `Bearer ${service.apiKey}` };
  return (
    body.termination_date === null && (await fetch(`${service.url}/s/${id}/screenshot`, { headers })).status === 200
  );
}

t.test('limits hold: a fork bomb affects only its own session', async t => {
  const service = await startService(t, { BERTH_SESSION_PIDS: '200' });
  const [own, other] = [await startSession(service), await startSession(service)];
  const bomb = await shell(own.container, 'for i in $(seq 400); do sleep 30 & done 2>&1; ls -d /proc/[0-9]* | wc -l');
  t.match(bomb.output, /fork/i, 'no more processes');
  t.equal((await shell(other.container, 'true')).status, 0);
  t.ok(await goesOn(service, other.id));
});

t.test('limits hold: a memory hog is killed in its own session, and both sessions continue', async t => {
  const service = await startService(t, { BERTH_SESSION_MEMORY_MB: '600' });
  const [own, other] = [await startSession(service), await startSession(service)];
  const hog = 'echo 1000 >/proc/self/oom_score_adj; exec node -e "const a=[];for(;;)a.push(Buffer.alloc(1<<24,1))"';
  t.equal((await shell(own.container, hog)).status, 137, 'the hog is killed');
  const kills = 'grep -hs "^oom_kill " /sys/fs/cgroup/memory/memory.oom_control /sys/fs/cgroup/memory.events; true';
  t.match((await shell(own.container, kills)).output, /^oom_kill [1-9]/, 'by the limit of its own session');
  t.match((await shell(other.container, kills)).output, /^oom_kill 0/);
  t.ok(await goesOn(service, own.id), 'its own session goes on');
  t.ok(await goesOn(service, other.id), 'the other one goes on');
});
