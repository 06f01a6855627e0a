// tags: containers, alone
/** A console's game is paused, played faster, saved and loaded, in whatever order and however early that is asked for. */
import { readFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import type { GameState } from '../../../src/protocol/generated/schemas.js';
import type { Colour } from '../../fixtures/consoles/hue.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { until } from '../../fixtures/until.js';
import { start, stepsOf, type Kind } from './console.js';

/** Their picture is another colour after every 32 frames, that is 0.53 s. */
const CARDS: readonly [Kind, string][] = [
  ['nes', 'card-slow.nes'],
  ['snes', 'card-slow.sfc'],
  ['n64', 'card-slow.z64'],
  ['ps1', 'card-slow.exe'],
];

/** Longer than any of its colours is shown at its own speed. */
const LOOK_MS = 1200;
const SEEN_MS = 500;
/** How long the speed is measured, ms. */
const MEASURE_MS = 6000;
/** Its colours in that time at its own speed, at 60 frames a second. */
const PLAIN_STEPS = 11.25;

/** What a call may take at most, on a busy machine too: it is carried out, or refused, and does not hang. */
const CALL_MS = 5000;
/** How long an emulator that does not end is waited for, ms. */
const EMULATOR_GRACE_MS = 1500;

const folder = await testCards(t);

for (const [kind, file] of CARDS) {
  t.test(kind, async t => {
    const { computer, service, insert, colour } = await start(t, kind, { width: 640, height: 480 });
    const emulator = kind === 'n64' ? /mupen64plus/ : /^\d* ?retroarch/;
    const signal = async (name: string) => {
      for (const pid of await computer.pids(emulator)) await computer.exec('sh', '-c', `kill -${name} ${pid}`);
    };
    const steps = (ms: number) => stepsOf(colour, ms);
    const stands = async (t: Test, words: string) => {
      // Its last frame may take a moment until it is seen.
      await steps(SEEN_MS);
      t.equal(await steps(LOOK_MS), 0, `it stands still: ${words}`);
    };
    const moves = async (t: Test, words: string) => t.ok(await steps(LOOK_MS), `it moves: ${words}`);
    const inTime = async (method: string, ...args: unknown[]) => {
      const since = Date.now();
      await service.call(method, ...args);
      if (Date.now() - since > CALL_MS) throw new Error(`${method} ${args.join()} took ${Date.now() - since} ms`);
    };
    const shows = (wanted: Colour) => until(`it shows ${wanted}`, async () => (await colour()) === wanted);
    const told = () => service.heard.filter((message): message is GameState => message.type === 'game').at(-1);

    await t.test('it can be paused as soon as it is there', async t => {
      await until('the agent wants the game', () => service.wants.length > 0);
      t.match(told(), { paused: false, fast_forward: false });
      t.equal((await insert(await readFile(`${folder}/${file}`), file)).status, 204);
      // Its emulator is being started.
      await until('there is a game', () =>
        service.call('console.pause', true).then(
          () => true,
          ({ code }: { code: string }) => (code === 'not_playing' ? false : Promise.reject(new Error(code))),
        ),
      );
      t.match(told(), { paused: true, fast_forward: false });
      await stands(t, 'asked for early');
    });

    await t.test('with several requests at once, the last one counts', async t => {
      const all = (...asked: boolean[]) => Promise.all(asked.map(on => service.call('console.pause', on)));
      await all(false, false);
      await moves(t, 'let go on twice');
      await all(true, true);
      await stands(t, 'paused twice');
      await all(true, false, true, false);
      t.match(told(), { paused: false });
      await moves(t, 'paused and let go on, twice');
      await all(false, true, true);
      t.match(told(), { paused: true });
      await stands(t, 'paused at last');
    });

    await t.test('while paused, states can be saved and loaded, and it can be reset', async t => {
      const pausedAt = async (wanted: Colour) => {
        await inTime('console.pause', false);
        // It has then just become so: some frames more change nothing.
        await shows('blue');
        await shows(wanted);
        await inTime('console.pause', true);
      };
      await pausedAt('white');
      await inTime('console.saveState', 0);
      await stands(t, 'saved');
      t.equal(await colour(), 'white', 'where it was');
      await pausedAt('cyan');
      await inTime('console.loadState', 0);
      await stands(t, 'loaded');
      t.equal(await colour(), 'white', 'where it was saved');
      await inTime('console.reset');
      await stands(t, 'reset');
    });

    await t.test('a state that the emulator rejects is an error', async t => {
      await signal('STOP');
      await t.rejects(service.call('console.loadState', 0), { code: 'state_not_loaded' });
      await t.rejects(service.call('console.pause', false), { code: 'agent_silent' });
      await signal('CONT');
      t.match(told(), { paused: true });
      await inTime('console.pause', true);
      await stands(t, 'it is paused as before');
    });

    await t.test('it plays at three times its speed, then at normal speed again', async t => {
      await inTime('console.fastForward', true);
      t.match(told(), { paused: true, fast_forward: true });
      await stands(t, 'fast when it goes on');
      await inTime('console.pause', false);
      const fast = await steps(MEASURE_MS);
      await Promise.all([inTime('console.fastForward', false), inTime('console.fastForward', false)]);
      t.match(told(), { paused: false, fast_forward: false });
      const plain = await steps(MEASURE_MS);
      t.comment(`${plain} and ${fast} colours in ${MEASURE_MS} ms`);
      t.ok(plain >= 9 && plain <= 13, `${plain} colours at its own speed, ${PLAIN_STEPS} are expected`);
      // Slow processors do not draw three times as many pictures of some games.
      t.ok(fast >= 1.6 * PLAIN_STEPS && fast <= 3.4 * PLAIN_STEPS, `${(fast / PLAIN_STEPS).toFixed(1)} times as fast`);
    });

    await t.test('a restarted emulator continues at the pace of the previous one', async t => {
      await inTime('console.fastForward', true);
      await inTime('console.pause', true);
      await signal('KILL');
      await until('the loss is told', () => service.states.some(({ state }) => state === 'restarting'));
      await until('it runs again', () => service.state === 'running');
      // An order waits until it has begun.
      await until('it takes orders', () =>
        service.call('console.pause', true).then(
          () => true,
          () => false,
        ),
      );
      t.match(told(), { paused: true, fast_forward: true });
      await stands(t, 'started again');
    });

    await t.test('a paused game ends as soon as its container does', async t => {
      const { code, ms } = await computer.stop();
      t.equal(code, 0);
      t.ok(ms < EMULATOR_GRACE_MS, `${ms} ms, it is not waited for in vain`);
    });
  });
}
