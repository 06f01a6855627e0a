// tags: containers, waiting, slow
import t from 'tap';
import { namesOf } from '../../../src/server/engines/docker/names.js';
import { containerOf, docker, shell } from '../../fixtures/engines/docker.js';
import { imageName } from '../../fixtures/engines/images.js';
import { neighbour, packetFilter } from '../../fixtures/networks/neighbour.js';
import { startService, troubles, type Service } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

const mark = `berth-test-egress-${process.pid}`;
/** Rules are looked at every 30 s, by a container that must start. */
const RESTORE_MS = 60_000;

const start = async (service: Service) => {
  const { status, body } = await service.api('POST', '/v0/vm');
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(body)}`);
  return containerOf(service, body.session_id);
};

/** The rules of a service, IPv6 with a 6 before. */
async function rulesOf(service: Service): Promise<string[]> {
  const { bridge, forwardChain, inputChain } = namesOf(service.instance);
  const all = await packetFilter(`${mark}-rules`, '$filter -S; $filter6 -S | sed s/^/6/');
  return all.split('\n').filter(line => [bridge, forwardChain, inputChain].some(name => line.includes(name)));
}

/** A script that takes away what leads to the rules of a service. */
function unhook({ bridge, forwardChain, inputChain }: ReturnType<typeof namesOf>): string {
  return `$filter -D DOCKER-USER -i ${bridge} -j ${forwardChain} && $filter6 -D INPUT -i ${bridge} -j ${inputChain}`;
}

t.test('rules that somebody removes or adds are restored', async t => {
  const service = await startService(t);
  const before = await rulesOf(service);
  const names = namesOf(service.instance);
  await packetFilter(`${mark}-cut`, `${unhook(names)} && $filter -F ${names.forwardChain}`);
  t.ok((await rulesOf(service)).length < before.length);
  await until('all are back', async () => (await rulesOf(service)).join('\n') === before.join('\n'), RESTORE_MS);
  // The service learns only afterwards that its helper has succeeded.
  await until('it says so', () => service.log().includes('network rules were missing and have been restored'));

  await packetFilter(`${mark}-add`, `$filter -I ${names.forwardChain} 1 -d 10.0.0.0/8 -j ACCEPT`);
  await until('the hole is closed', async () => (await rulesOf(service)).join('\n') === before.join('\n'), RESTORE_MS);
});

t.test('a network that somebody prunes is made again, by a start or by itself', async t => {
  const service = await startService(t);
  const { network } = namesOf(service.instance);
  const rules = await rulesOf(service);
  await docker('network', 'rm', network);
  const container = await start(service);
  t.same(await rulesOf(service), rules, 'the session is behind the same rules');
  await docker('rm', '-f', container);
  await docker('network', 'rm', network);
  const isBack = () =>
    docker('network', 'inspect', network).then(
      () => true,
      () => false,
    );
  await until('it is back', isBack, RESTORE_MS);
  t.same(await rulesOf(service), rules);
  await start(service);
});

t.test('while they cannot be restored no session starts, and the service says so', async t => {
  const prefix = mark;
  for (const name of ['base', 'chromium'] as const) await docker('tag', imageName(name), `${prefix}/${name}`);
  t.teardown(() => Promise.all(['base', 'chromium'].map(name => docker('rmi', `${prefix}/${name}`).catch(() => ''))));
  const service = await startService(t, { BERTH_IMAGE_PREFIX: prefix });
  await start(service);
  // Without its image no helper can look at the rules.
  await docker('rmi', `${prefix}/base`);
  await packetFilter(`${mark}-cut`, unhook(namesOf(service.instance)));
  await until('its trouble is told', async () => (await troubles(service)).length > 0, RESTORE_MS);
  const { status, body } = await service.api('POST', '/v0/vm');
  t.same([status, body.code], [502, 'start_failed']);
  t.match(service.log(), /network rules cannot be enforced; no sessions start/);

  await docker('tag', imageName('base'), `${prefix}/base`);
  await until('its trouble is over', async () => (await troubles(service)).length === 0, RESTORE_MS);
  const { bridge, forwardChain } = namesOf(service.instance);
  t.ok((await rulesOf(service)).includes(`-A DOCKER-USER -i ${bridge} -j ${forwardChain}`));
  await start(service);
});

t.test('connections and new flows are limited per container', async t => {
  const holding = await neighbour(t, `${mark}-holding`, { holds: true });
  const ending = await neighbour(t, `${mark}-ending`);
  const service = await startService(t, {
    BERTH_EGRESS_ALLOW: `${holding.address},${ending.address}`,
    // Chromium itself asks for names some forty times when it starts.
    BERTH_SESSION_CONNECTIONS: '120',
    BERTH_SESSION_CONNECTION_RATE: '20',
  });
  const [own, other] = [await start(service), await start(service)];
  /** How many of `count` connections are made, all at once, where each lasts as long as the other side wants. */
  const connect = async (container: string, address: string, count: number) => {
    const program = `let n=0;for(let i=0;i<${count};i++)require('net').connect(8000,'${address}').on('connect',()=>n++).on('error',()=>{});setTimeout(()=>{console.log(n);process.exit()},2500)`;
    return Number((await shell(container, `node -e "${program}"`)).output);
  };
  await until(
    'the neighbours listen',
    async () => (await connect(other, holding.address, 1)) + (await connect(other, ending.address, 1)) === 2,
  );

  const [held, besides] = await Promise.all([connect(own, holding.address, 240), connect(other, ending.address, 3)]);
  t.ok(held >= 20 && held <= 120, `of 240 connections ${held} are open at the same time`);
  t.equal(besides, 3, 'another container has its own');

  // Each ends at once, so that only how many are new can stop them; what Chromium does besides is few.
  const burst = `let n=0,end=Date.now()+1000;const go=()=>{if(Date.now()<end)require('net').connect(8000,'${ending.address}').on('connect',()=>n++).on('error',()=>{}).on('close',go).resume()};for(let i=0;i<20;i++)go();setTimeout(()=>{console.log(n);process.exit()},1200)`;
  const [made, meanwhile] = await Promise.all([
    shell(other, `node -e "${burst}"; sleep 2; node -e "${burst}"`).then(({ output }) =>
      output.split('\n').map(Number),
    ),
    connect(own, ending.address, 3),
  ]);
  const [first = 0, afterPause = 0] = made;
  t.ok(first >= 50 && first + afterPause <= 20 * (20 + 8), `${first} connections, and ${afterPause} after a pause`);
  t.equal(meanwhile, 3, 'another container has its own');
});
