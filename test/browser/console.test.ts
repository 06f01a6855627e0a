import t from 'tap';
import { openBrowser } from '../fixtures/browser.js';
import { serveCards } from '../fixtures/games.js';
import { colourOf, type Colour } from '../fixtures/hue.js';
import { startService } from '../fixtures/service.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewer-page.js';

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const origin = await serveCards(t);
const browser = await openBrowser(t);

const CARDS = [
  { type: 'nes', file: 'card.nes' },
  { type: 'snes', file: 'card.sfc' },
  { type: 'n64', file: 'card.z64' },
  { type: 'ps1', file: 'card.exe' },
] as const;

const shows = (viewer: ViewerPage, wanted: Colour, ms = 20_000) =>
  until(`the viewer shows ${wanted}`, async () => {
    const pixel = await viewer.color(320, 200);
    return pixel.length > 0 && colourOf(pixel) === wanted;
  }, ms);

/** Presses a button of the bar, which may have gone away meanwhile. */
const press = ({ page }: ViewerPage, name: string) => page.getByRole('button', { name, includeHidden: true }).dispatchEvent('click');

for (const { type, file } of CARDS) {
  t.test(`${type} in the player: the keyboard plays, states are saved and loaded`, async t => {
    const started = await service.api('POST', '/console', { type, room_url: `${origin}/${file}`, width: 640, height: 400 });
    t.equal(started.status, 201);
    const one = await ViewerPage.open(browser, started.body.embed_url);
    t.teardown(() => one.close());
    await shows(one, 'blue', 40_000);

    await t.test('the first viewer plays with the keyboard', async () => {
      for (const [key, colour] of [['x', 'red'], ['z', 'green']] as const) {
        await one.page.keyboard.down(key);
        await shows(one, colour);
        await one.page.keyboard.up(key);
        await shows(one, 'blue');
      }
    });

    await t.test('saved, played on, loaded', async () => {
      await one.page.keyboard.press('Enter', { delay: 150 });
      await shows(one, 'white');
      await press(one, 'Save state');
      await one.page.getByText('Saved in slot 0.').waitFor();
      await one.page.keyboard.press('Enter', { delay: 150 });
      await shows(one, 'cyan');
      await press(one, 'Load state');
      await shows(one, 'white');
    });
    await service.api('DELETE', `/v0/vm/${started.body.session_id}`);
  });
}
