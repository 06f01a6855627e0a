// tags: containers, waiting, slow
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { encodePad, PadButton } from '../../../src/protocol/pad.js';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { containerOf, containersOf, docker, shell } from '../../fixtures/engines/docker.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

const origin = await serveCards(t);
const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true', BERTH_PROFILE_CHECKPOINT: '0' });

const CARDS = [
  { type: 'nes', file: 'card.nes', red: PadButton.a, emulator: 'retroarch' },
  { type: 'n64', file: 'card.z64', red: PadButton.b, emulator: 'mupen64plus' },
] as const;
const cardOf = ({ type, file }: (typeof CARDS)[number], profile: unknown) => ({
  type,
  room_url: `${origin}/${file}`,
  width: 640,
  height: 480,
  profile,
});

const killAgent = (container: string) => shell(container, 'kill -9 $(pidof node)');
const processes = async (container: string) => (await docker('top', container, '-o', 'pid')).split('\n').length;
/** The emulator's process IDs. */
const emulators = async (container: string, program: string) =>
  (await shell(container, `pidof ${program}`)).output.trim();
const isKept = (id: string) =>
  readFile(join(service.dataDir, 'profiles', `${id}.profile`)).then(
    () => true,
    () => false,
  );

for (const card of CARDS) {
  t.test(`${card.type}: an agent that is killed costs players a moment, and the game nothing`, async t => {
    const session = await ConsoleSession.start(service, cardOf(card, true));
    const container = containerOf(service, session.id);
    const player = await session.join();
    const button = (id: number, down: boolean) =>
      player.send(encodePad({ type: 'pad', player: 0, control: 'button', id, down }));
    const press = (id: number) => [true, false].forEach(down => button(id, down));
    const call = (method: string, on: boolean) => service.api('POST', `/s/${session.id}/${method}`, [on]);
    await session.shows('blue');
    await until('it runs', () => player.all('session').at(-1)?.state === 'running');
    press(PadButton.start);
    await session.shows('white');
    const [pid, counted] = [await emulators(container, card.emulator), await processes(container)];
    t.match(pid, /^\d+$/);

    await t.test('what was held is released', async () => {
      button(card.red, true);
      await session.shows('red');
    });
    for (const time of ['first', 'second']) {
      await killAgent(container);
      const killed = performance.now();
      const frame = await player.saw(({ key, at }) => key && at > killed);
      t.comment(`${time} time: a picture after ${Math.round(frame.at - killed)} ms`);
      await session.shows('white');
      await until('it runs', () => player.all('session').at(-1)?.state === 'running');
      t.equal(await emulators(container, card.emulator), pid, 'the emulator goes on');
    }
    button(card.red, false);
    press(PadButton.start);
    await session.shows('cyan');

    await t.test('a paused game stays paused, and can continue', async t => {
      t.equal((await call('console.pause', true)).status, 200);
      await killAgent(container);
      const killed = performance.now();
      await player.saw(({ key, at }) => key && at > killed);
      button(card.red, true);
      await t.rejects(session.shows('red', 1500), 'it moves');
      t.equal(player.all('game').at(-1)?.paused, true, 'players know it');
      t.equal((await call('console.pause', false)).status, 200);
      await session.shows('red');
      button(card.red, false);
      await session.shows('cyan');
    });

    const others = player
      .all('session')
      .filter(({ state, message }) => state !== 'running' && !/connection/.test(message ?? ''));
    t.same(
      others.filter(({ state }) => state !== 'starting'),
      [],
      'nothing but the link was lost',
    );
    t.equal(await emulators(container, card.emulator), pid, 'the emulator is the same');
    await until('as many processes as before', async () => (await processes(container)) === counted);
    player.leave();
    await session.end();
    const next = await ConsoleSession.start(service, cardOf(card, { load: session.id }));
    await next.shows('cyan');
    t.pass('where it was is in the profile');
    await next.end();
  });

  t.test(`${card.type}: an agent is killed while the game starts`, async t => {
    for (const wait of [0, 0.3, 1]) {
      const session = await ConsoleSession.start(service, cardOf(card, true));
      const container = containerOf(service, session.id);
      await until('the emulator is there', async () => /^\d+$/.test(await emulators(container, card.emulator)));
      await shell(container, `sleep ${wait}; kill -9 $(pidof node)`);
      await session.shows('blue');
      t.match(await emulators(container, card.emulator), /^\d+$/, `one emulator, killed after ${wait} s`);
      await session.end();
    }
  });

  t.test(`${card.type}: an agent is killed while the game arrives, and while it is saved`, async t => {
    const session = await ConsoleSession.start(service, cardOf(card, true));
    const container = containerOf(service, session.id);
    await killAgent(container);
    await session.shows('blue');
    const player = await session.join();
    player.send(encodePad({ type: 'pad', player: 0, control: 'button', id: PadButton.start, down: true }));
    await session.shows('white');
    const ended = session.end();
    await until(
      'the end is claimed',
      async () => (await service.api('GET', `/v0/vm/${session.id}`)).body.termination_date,
    );
    await killAgent(container);
    await ended;
    await until('the profile is saved', () => isKept(session.id));
    const next = await ConsoleSession.start(service, cardOf(card, { load: session.id }));
    await next.shows('white');
    t.pass('where it was is in the profile');
    await next.end();
  });
}

t.test('nothing of them is left over', async t => {
  await until('no container', async () => (await containersOf(service)).length === 0);
  t.pass();
});
