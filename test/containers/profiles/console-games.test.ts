// tags: containers
import { zipSync } from 'fflate';
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { PadButton } from '../../../src/protocol/pad.js';
import { serveGames } from '../../fixtures/consoles/game-server.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { startService } from '../../fixtures/services/service.js';
import { Player, readProfile, writeProfile } from './console.js';

const folder = await testCards(t);
const card = (name: string) => readFile(`${folder}/${name}`);
const games = {
  'card.nes': await card('card.nes'),
  'game-17': await card('card.nes'),
  'card.sfc': await card('card.sfc'),
  'card.zip': Buffer.from(
    zipSync({ 'Some Game (E)/game.sfc': await card('card.sfc'), 'readme.txt': Buffer.from('about it') }),
  ),
  'card.z64': await card('card.z64'),
  'card.v64': (await card('card.z64')).swap16(),
  'card.exe': await card('card.exe'),
  'other.exe': await card('card.exe'),
};
const { origin } = await serveGames(t, games);
const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true', BERTH_PROFILE_CHECKPOINT: '0' });

/** Each game by two addresses, in two forms where it has some, and the button that shows the step which the card keeps without current. */
const CONSOLES = [
  { type: 'nes', first: 'card.nes', second: 'game-17', kept: PadButton.select },
  { type: 'snes', first: 'card.sfc', second: 'card.zip', kept: PadButton.select },
  { type: 'n64', first: 'card.z64', second: 'card.v64', kept: PadButton.l },
  { type: 'ps1', first: 'card.exe', second: 'other.exe', kept: PadButton.select },
] as const;

for (const { type, first, second, kept } of CONSOLES) {
  t.test(`${type}: a game continues in another session with its saves`, async t => {
    const start = (name: string, fields: object) =>
      Player.start(service, { type, room_url: `${origin}/${name}`, width: 640, height: 480, ...fields });
    const call = (player: Player, method: string, args: unknown[]) =>
      service.api('POST', `/s/${player.session.id}/${method}`, args);

    const played = await start(first, { profile: true });
    const { id } = played.session;
    await played.session.shows('blue');
    await played.step('white');
    t.equal((await call(played, 'console.saveState', [3])).status, 200);
    await played.step('cyan');
    await played.session.end();

    await t.test('it continues where it was left', async t => {
      const next = await start(second, { profile: { load: id } });
      await next.session.shows('cyan');
      t.equal((await call(next, 'console.loadState', [3])).status, 200);
      await next.session.shows('white');
      t.equal((await call(next, 'console.loadState', [4])).body.code, 'slot_empty');
      await next.session.end();
    });

    await t.test('without a state it starts over, with the content of its battery or card', async t => {
      const files = await readProfile(service, id);
      const states = [...files.keys()].filter(path => /\/states\/.*automatic/.test(path));
      t.equal(states.length, 1);
      states.forEach(path => files.delete(path));
      t.comment([...files].map(([path, content]) => `${path} ${content.length}`).join('\n'));
      await writeProfile(service, id, files);
      const next = await start(second, { profile: { load: id } });
      await next.session.shows('blue');
      await next.shows('cyan', kept);
      t.equal((await call(next, 'console.loadState', [3])).status, 200);
      await next.session.shows('white');
      await next.session.end();
    });
  });
}
