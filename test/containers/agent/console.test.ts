// tags: containers, waiting, slow
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { PadButton } from '../../../src/protocol/pad.js';
import type { Colour } from '../../fixtures/consoles/hue.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { until } from '../../fixtures/until.js';
import { ASK_STATUS, start } from './console.js';

const CARDS = [
  { kind: 'nes', file: 'card.nes', red: PadButton.a, green: PadButton.b },
  { kind: 'snes', file: 'card.sfc', red: PadButton.a, green: PadButton.b },
  { kind: 'n64', file: 'card.z64', red: PadButton.b, green: PadButton.y },
  { kind: 'ps1', file: 'card.exe', red: PadButton.a, green: PadButton.b },
] as const;

/** A state that is on the disk so long after a change holds it. */
const SAVING_S = 3;

const folder = await testCards(t);

for (const { kind, file, red, green } of CARDS) {
  t.test(`${kind}: a game is played, saved, loaded, reset and continues after a crash`, async t => {
    const console = await start(t, kind);
    const { service, button, shows, colour } = console;
    await until('the agent wants the game', () => service.wants.length > 0);
    t.same(await console.insert(await readFile(`${folder}/${file}`), `some where/${file}`), {
      status: 204,
      message: '',
    });
    await shows('blue');
    await until('it is told to run', () => service.state === 'running');

    if (kind === 'n64') {
      const libraries = await console.computer.exec('sh', '-c', 'cat /proc/[0-9]*/maps');
      t.match(libraries, 'libmupen64plus.so');
      t.notMatch(libraries, /libgdal|libgstreamer/, 'what a camera would need takes no time of its start');
    }

    await t.test('buttons of the first player', async () => {
      for (const [id, colour] of [
        [red, 'red'],
        [green, 'green'],
      ] as const) {
        button(id, true);
        await shows(colour);
        button(id, false);
        await shows('blue');
      }
    });

    await t.test('buttons of the second player', async () => {
      button(red, true, 1);
      await shows('magenta');
      button(red, false, 1);
      await shows('blue');
    });

    const pressStart = async (wanted: Colour) => {
      // Shorter than a frame of the game.
      button(PadButton.start, true);
      button(PadButton.start, false);
      await shows(wanted);
    };

    await t.test('a state is saved and loaded; another slot is empty', async t => {
      await pressStart('white');
      t.equal(await service.call('console.saveState', 3), null);
      await pressStart('cyan');
      t.equal(await service.call('console.loadState', 3), null);
      await shows('white');
      await t.rejects(service.call('console.loadState', 4), { code: 'slot_empty' });
      await t.rejects(service.call('console.saveState', 10), { code: 'invalid_arguments' });
    });

    await t.test('reset', async () => {
      await service.call('console.reset');
      await shows('blue');
    });

    await t.test('nothing moves while it is paused', async t => {
      await service.call('console.pause', true);
      await until('it is paused', async () =>
        (await console.computer.exec('node', '-e', ASK_STATUS)).includes('PAUSED'),
      );
      button(red, true);
      await t.rejects(until('it moves', async () => (await colour()) === 'red', 700));
      await service.call('console.pause', false);
      await shows('red');
      button(red, false);
    });

    await t.test('a killed emulator is restarted', async () => {
      await pressStart('white');
      const since = Date.now() / 1000 + SAVING_S;
      await until('the state is saved by itself', async () => {
        const times = await console.computer.exec(
          'find',
          '/home/berth',
          '-name',
          '*automatic.state',
          '-printf',
          '%T@\n',
        );
        return times.split('\n').some(time => Number(time) > since);
      });
      await console.computer.kill(kind === 'n64' ? /mupen64plus/ : /^\d* ?retroarch/);
      await until('the loss is told', () => service.states.some(({ state }) => state === 'restarting'));
      await until('it is told to run again', () => service.state === 'running');
      await shows('white');
      button(red, true);
      await shows('red');
      button(red, false);
    });
  });
}

t.test('an unplayable game fails the session, with a reason', async t => {
  const cases = [
    { kind: 'nes', name: 'a.nes', content: Buffer.from('<html>not found</html>'), message: /not a game for the nes/ },
    {
      kind: 'snes',
      name: 'a.nes',
      content: await readFile(`${folder}/card.nes`),
      message: /not a game for the snes: it is a game for the nes/,
    },
    { kind: 'ps1', name: 'a.zip', content: Buffer.from('PK\x03\x04damaged', 'latin1'), message: /damaged/ },
  ] as const;
  for (const { kind, name, content, message } of cases) {
    const { service, insert } = await start(t, kind);
    await until('the agent wants the game', () => service.wants.length > 0);
    const answer = await insert(content, name);
    t.equal(answer.status, 400, `${kind} ${name}`);
    t.match(answer.message, message);
    t.match(await until('the failure is told', () => service.states.find(({ state }) => state === 'failed')), {
      cause: 'content',
      message,
    });
  }
});
