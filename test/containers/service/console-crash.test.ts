// tags: containers, waiting, slow
import t from 'tap';
import { encodePad, PadButton } from '../../../src/protocol/pad.js';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { containerOf, containersOf, shell } from '../../fixtures/engines/docker.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const origin = await serveCards(t);

const start = (type: 'nes' | 'n64', file: string) =>
  ConsoleSession.start(service, { type, room_url: `${origin}/${file}`, width: 640, height: 400 });

/** Prints the process IDs of programs whose command line begins with one of these. */
const find = (...programs: string[]) => `for p in /proc/[0-9]*; do
  case "$(tr '\\0' ' ' < $p/cmdline)" in ${programs.map(each => `${each}\\ *`).join('|')}) echo \${p#/proc/};; esac
done 2>/dev/null`;
/** Kills them; SIGSEGV looks like a fault of their own. */
const kill = (signal: 'KILL' | 'SEGV', ...programs: string[]) =>
  `for each in $(${find(...programs)}); do kill -${signal} $each && echo killed; done 2>/dev/null`;
const EMULATORS = ['retroarch', '/usr/games/mupen64plus'];
const KILL = kill('KILL', ...EMULATORS);

/** What a game may lose by a crash, ms, and a little for a busy machine. */
const AUTOMATIC_MS = 30_000;

// Both at once: most of the time they wait for the state that is saved by itself.
t.jobs = 2;
for (const [emulator, type, file] of [
  ['RetroArch', 'nes', 'card.nes'],
  ['mupen64plus', 'n64', 'card.z64'],
] as const) {
  t.test(
    `${emulator} is killed again and again: the game goes on, at last the session ends as crashed`,
    { buffered: true },
    async t => {
      const session = await start(type, file);
      const container = containerOf(service, session.id);
      const viewer = await session.join();
      t.teardown(() => viewer.leave());
      await session.shows('blue');
      const press = (down: boolean) =>
        viewer.send(encodePad({ type: 'pad', player: 0, control: 'button', id: PadButton.start, down }));
      press(true);
      await session.shows('white');
      press(false);

      const since = await shell(container, 'date +%s.%N');
      const saved = `find -L /home/berth/game/ -name '*automatic.state' -newermt @${since.output}`;
      await until(
        'the state is saved by itself',
        async () => (await shell(container, saved)).output !== '',
        AUTOMATIC_MS,
      );

      const states = () => viewer.all('session').map(({ state }) => state);
      const killed = async (times: number) => {
        await until('the emulator is killed', async () => (await shell(container, KILL)).output === 'killed');
        await until('players are told', () => states().filter(state => state === 'restarting').length === times);
      };
      const isBack = () => until('the emulator is back', () => states().at(-1) === 'running');
      for (const times of [1, 2]) {
        await killed(times);
        await isBack();
        await session.shows('white');
        t.pass(`the game goes on after ${times}`);
      }
      await killed(3);
      await isBack();
      const closed = viewer.closed();
      // Four times within 60 s: on a busy machine the first ones may be longer ago.
      const ended = await until('it is given up', async () => {
        await shell(container, KILL);
        return session.ended(2000).catch(() => null);
      });
      t.match(ended, {
        termination_reason: 'crashed',
        termination_message: /emulator ended with SIGKILL, 4 times within 60 s/,
      });
      t.match(await viewer.heard('end'), { reason: 'crashed' });
      t.equal(await closed, 4000);
    },
  );
}

t.test('a game that crashes the preferred emulator plays with the next one', async t => {
  const session = await start('n64', 'card-divide.z64');
  const viewer = await session.join();
  await session.shows('blue');
  const running = await shell(containerOf(service, session.id), 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "');
  t.match(running.output, /mupen64plus-rsp-z64/, 'by the one that interprets everything');
  viewer.leave();
  await session.end();
});

t.test('a game that crashes every emulator ends its session with a helpful reason', async t => {
  const session = await start('n64', 'card.z64');
  const viewer = await session.join();
  const container = containerOf(service, session.id);
  const crash = () => shell(container, kill('SEGV', ...EMULATORS));
  const states = () => viewer.all('session').map(({ state }) => state);
  await session.shows('blue');
  await until('the emulator crashes', async () => (await crash()).output === 'killed');
  await until('players are told', () => states().includes('restarting'));
  await until('another one is there', () => states().at(-1) === 'running');
  await session.shows('blue');
  t.pass('it was started once more');
  await until('the emulator crashes again', async () => (await crash()).output === 'killed');
  t.match(await session.ended(), {
    termination_reason: 'crashed',
    termination_message: /The game crashes each emulator that there is for it \(mupen64plus.*\)\. .*BERTH_N64_CORE/,
  });
});

t.test('an emulator that crashes over a state has not loaded it', async t => {
  const session = await start('nes', 'card.nes');
  const container = containerOf(service, session.id);
  const call = (method: string) => service.api('POST', `/s/${session.id}/console.${method}`, [1]);
  await session.shows('blue');
  t.equal((await call('saveState')).status, 200);
  const crashing = shell(
    container,
    `state=/home/berth/game/states/game.state; emulator=$(${find(...EMULATORS)})
      kill -STOP $emulator; echo stopped >/tmp/stopped; until [ "$(stat -c %X $state)" = 0 ]; do :; done
      kill -CONT $emulator; while [ "$(stat -c %X $state)" = 0 ]; do :; done; kill -SEGV $emulator`,
  );
  await until('it stands still', async () => (await shell(container, 'cat /tmp/stopped')).status === 0);
  t.match(await call('loadState'), { status: 409, body: { code: 'state_not_loaded' } });
  t.equal((await crashing).status, 0);
  await session.end();
});

t.test('a game that has just begun continues when the X server dies, however its emulator reacts', async () => {
  const session = await start('nes', 'card.nes');
  const viewer = await session.join();
  await session.shows('blue');
  const server = await shell(containerOf(service, session.id), kill('KILL', 'Xvfb', '/usr/bin/Xvfb'));
  if (server.output !== 'killed') throw new Error(`the X server was not killed: ${server.output}`);
  await viewer.heard('session', ({ state }) => state === 'restarting');
  await until('it is back', () => viewer.all('session').at(-1)?.state === 'running');
  await session.shows('blue');
  viewer.leave();
  await session.end();
});

t.test('nothing of them is left over', async t => {
  await until('no container', async () => (await containersOf(service)).length === 0);
  t.equal((await service.api('GET', '/v0/vm')).body.results.length, 0);
});
