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

const showBar = ({ page }: ViewerPage) => page.getByRole('button', { name: 'Show the bar' }).click();

/** Plugs a gamepad into the page whose buttons the test presses. */
function plugIn(): void {
  const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
  const pad = { connected: true, index: 0, id: 'test', mapping: 'standard', axes: [0, 0, 0, 0], buttons, timestamp: 0 };
  Object.assign(window, { buttons });
  navigator.getGamepads = () => [pad as unknown as Gamepad];
  window.dispatchEvent(new Event('gamepadconnected'));
}

function pressed({ button, down }: { button: number; down: boolean }): void {
  const { buttons } = window as unknown as { buttons: { pressed: boolean }[] };
  const pressed = buttons[button];
  if (pressed) pressed.pressed = down;
}

for (const { type, file } of CARDS) {
  t.test(`${type} in the player: keyboard, gamepad, two viewers, saved states`, async t => {
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

    await t.test('the second joins the game with a gamepad', async () => {
      const two = await ViewerPage.open(browser, started.body.embed_url);
      t.teardown(() => two.close());
      await two.page.evaluate(plugIn);
      await shows(two, 'blue');
      await showBar(two);
      await two.page.getByRole('button', { name: 'Join the game' }).click();
      await two.page.getByRole('button', { name: 'Player 2' }).waitFor();
      const button = type === 'n64' ? 0 : 1;
      await two.page.evaluate(pressed, { button, down: true });
      await shows(one, 'magenta');
      await two.page.evaluate(pressed, { button, down: false });
      await shows(one, 'blue');
    });

    await t.test('saved, played on, loaded', async () => {
      // A page in the background gets no video.
      await one.page.bringToFront();
      await one.page.keyboard.press('Enter', { delay: 150 });
      await shows(one, 'white');
      await showBar(one);
      await one.page.getByRole('button', { name: 'Save state' }).click();
      await one.page.keyboard.press('Enter', { delay: 150 });
      await shows(one, 'cyan');
      await showBar(one);
      await one.page.getByRole('button', { name: 'Load state' }).click();
      await shows(one, 'white');
    });
    await service.api('DELETE', `/v0/vm/${started.body.session_id}`);
  });
}
