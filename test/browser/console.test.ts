// tags: containers
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { press, shows } from '../fixtures/consoles/page.js';
import { serveCards } from '../fixtures/consoles/cards.js';
import { startService } from '../fixtures/services/service.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const origin = await serveCards(t);
const browser = await openBrowser(t);

const CARDS = [
  { type: 'nes', file: 'card.nes' },
  { type: 'snes', file: 'card.sfc' },
  { type: 'n64', file: 'card.z64' },
  { type: 'ps1', file: 'card.exe' },
] as const;

/** Waits until a viewer's page says what it is: a player, or one who watches. */
const isNow = ({ page }: ViewerPage, words: string) =>
  page.getByRole('button', { name: words, exact: true, includeHidden: true }).waitFor({ state: 'attached' });

async function hold({ page }: ViewerPage, key: string, whileHeld: () => Promise<unknown>): Promise<void> {
  await page.keyboard.down(key);
  await whileHeld();
  await page.keyboard.up(key);
}

for (const { type, file } of CARDS) {
  t.test(
    `${type} in the player: the keyboard plays, two viewers play together, states are saved and loaded`,
    async t => {
      const started = await service.api('POST', '/console', {
        type,
        room_url: `${origin}/${file}`,
        width: 640,
        height: 400,
      });
      t.equal(started.status, 201);
      const { session_id: id, embed_url: url } = started.body;
      const call = (method: string, ...args: unknown[]) => service.api('POST', `/s/${id}/${method}`, args);
      const users = async () =>
        (await service.api('GET', `/s/${id}/users`)).body.map(({ user_id }: { user_id: string }) => user_id);
      const one = await ViewerPage.open(browser, url);
      t.teardown(() => one.close());
      await shows(one, 'blue');

      await t.test('the first viewer plays with the keyboard', async () => {
        for (const [key, colour] of [
          ['x', 'red'],
          ['z', 'green'],
        ] as const) {
          await hold(one, key, () => shows(one, colour));
          await shows(one, 'blue');
        }
      });

      await t.test('a second viewer watches, joins the game and leaves it', async t => {
        const two = await ViewerPage.open(browser, url);
        t.teardown(() => two.close());
        await shows(two, 'blue');
        await isNow(two, 'Join the game');
        const [first, second] = await users();

        await hold(two, 'x', async () => {
          await hold(one, 'z', () => shows(two, 'green'));
          await shows(two, 'blue');
        });
        t.pass('the keys of who watches do nothing');

        await press(two, 'Join the game');
        await isNow(two, 'Player 2');
        await hold(two, 'x', () => shows(one, 'magenta'));
        await shows(one, 'blue');
        await hold(one, 'x', () => shows(two, 'red'));
        await shows(two, 'blue');
        t.pass('each plays with their own pad');

        t.match(await call('seats', 2, first), { status: 200, body: [{ user_id: first }, { user_id: first }] });
        await isNow(one, 'Player 1 and 2');
        await isNow(two, 'Join the game');
        await call('seats', 2, second);
        await isNow(two, 'Player 2');
        t.pass('a seat is given to another');

        await hold(two, 'x', async () => {
          await shows(one, 'magenta');
          await call('removeRoles', [second], ['control']);
          await shows(one, 'blue');
          await isNow(two, 'Join the game');
        });
        t.pass('who may not control any more loses the seat, and what was held is let go of');

        await call('addRoles', [second], ['control']);
        await press(two, 'Join the game');
        await isNow(two, 'Player 2');
        await two.page.keyboard.down('x');
        await shows(one, 'magenta');
        await two.close();
        await shows(one, 'blue');
        t.match((await call('seats', 4, null)).body, [{ user_id: first }, { user_id: null }]);
        t.pass('who leaves frees the seat, and what was held is let go of');
      });

      await t.test('a game is saved, played on and loaded', async () => {
        await hold(one, 'Enter', () => shows(one, 'white'));
        await press(one, 'Save state');
        await one.page.getByText('Saved in slot 0.').waitFor();
        await hold(one, 'Enter', () => shows(one, 'cyan'));
        await press(one, 'Load state');
        await shows(one, 'white');
      });
      await service.api('DELETE', `/v0/vm/${id}`);
    },
  );
}
