// tags: containers, slow
import t from 'tap';
import { PadButton } from '../../src/protocol/pad.js';
import type { BerthOptions } from '../../src/web/sdk/index.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { press, shows } from '../fixtures/consoles/page.js';
import { embed, type Embedding } from '../fixtures/pages/embedding-page.js';
import { Fingers, placeOn } from '../fixtures/viewers/fingers.js';
import { serveCards } from '../fixtures/consoles/cards.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';
import { VirtualGamepads } from '../fixtures/viewers/virtual-gamepads.js';

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const origin = await serveCards(t);
const browser = await openBrowser(t);

/**
 * What is A, B and a direction on each console's on-screen pad, which button of a gamepad is A, and what other sticks
 * show when they are pushed up.
 */
const CONSOLES = [
  { type: 'nes', file: 'card.nes', a: 'A', b: 'B', ways: 'Cross', button: 1, sticks: {} },
  { type: 'snes', file: 'card.sfc', a: 'A', b: 'B', ways: 'Cross', button: 1, sticks: {} },
  { type: 'n64', file: 'card.z64', a: 'A', b: 'B', ways: 'Stick', button: 0, sticks: {} },
  {
    type: 'ps1',
    file: 'card.exe',
    a: 'Circle ○',
    b: 'Cross ✕',
    ways: 'Cross',
    button: 1,
    sticks: { 'Left stick': 'yellow', 'Right stick': 'cyan' },
  },
] as const;

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

declare const embedding: Embedding;

t.test('pages can have the on-screen pad', async t => {
  const [session, page] = await embed(t, browser);
  session.kind = 'snes';
  session.seats = [{ player: 1, user_id: 'u1' }];
  const pad = page.getByRole('group', { name: 'Pad' });
  const mount = (touchPad?: BerthOptions['touchPad']) =>
    page.evaluate(options => embedding.mount(options), touchPad === undefined ? {} : { touchPad });

  t.equal(await mount('on'), 'mounted');
  const onA = await placeOn(page.getByRole('button', { name: 'A', exact: true }));
  await page.mouse.move(onA.x, onA.y);
  await page.mouse.down();
  const pads = () => session.received.flatMap(message => (message.is === 'pad' ? [message.event] : []));
  const down = { type: 'pad', player: 0, control: 'button', id: PadButton.a, down: true };
  t.match(await until('the button is pressed', () => pads()[0]), down);
  session.send({ type: 'seats', seats: [{ player: 1, user_id: 'u2' }] });
  await pad.waitFor({ state: 'hidden' });
  session.send({ type: 'seats', seats: [{ player: 1, user_id: 'u1' }] });
  await pad.waitFor();

  for (const option of ['off', 'auto', undefined] as const) {
    t.equal(await mount(option), 'mounted');
    await pad.waitFor({ state: 'hidden' });
  }
  t.match(await mount('yes' as never), 'TypeError: touchPad must be auto, on or off');
});

t.test('a page binds the controls itself', async t => {
  const [session, page] = await embed(t, browser);
  session.kind = 'nes';
  session.seats = [{ player: 1, user_id: 'u1' }];
  await page.evaluate(() => embedding.mount());
  await page.evaluate(() => {
    const { controls } = embedding.session;
    if (controls !== null) controls.bindings = { ...controls.bindings, a: { keys: ['k'.charCodeAt(0)], pad: [] } };
  });
  await page.keyboard.press('k');
  const down = { type: 'pad', player: 0, control: 'button', id: PadButton.a, down: true };
  const pads = () => session.received.flatMap(message => (message.is === 'pad' ? [message.event] : []));
  t.match(await until('the button is pressed', () => pads()[0]), down);
});

t.test('where a page may not have gamepads, keyboard and on-screen pad play', async t => {
  const [session, page] = await embed(t, browser);
  session.kind = 'nes';
  session.seats = [{ player: 1, user_id: 'u1' }];
  session.pages.set('/outer', `<!doctype html><iframe src="/page" allow="gamepad 'none'" width="700" height="500">`);
  await page.goto(new URL('/outer', page.url()).href);
  const frame = await until('the frame is there', () => page.frames().find(frame => frame.url().endsWith('/page')));
  await frame.waitForFunction(() => 'mount' in window);
  const failure = await frame.evaluate(() => {
    try {
      return String(navigator.getGamepads());
    } catch (error) {
      return (error as Error).name;
    }
  });
  t.equal(failure, 'SecurityError', 'it must not ask for them');
  t.equal(await frame.evaluate(() => embedding.mount({ touchPad: 'on' })), 'mounted');
  const pads = () => session.received.flatMap(message => (message.is === 'pad' ? [message.event] : []));
  const button = (id: number, down: boolean) => ({ type: 'pad', player: 0, control: 'button', id, down });
  await page.mouse.click(100, 100);
  await page.keyboard.press('x');
  await until('a key is pressed and released', () => pads().length === 2);
  t.same(pads(), [button(PadButton.a, true), button(PadButton.a, false)]);
  const onB = await placeOn(frame.getByRole('button', { name: 'B', exact: true }));
  await page.mouse.click(onB.x, onB.y);
  await until('the on-screen pad is pressed and released', () => pads().length === 4);
  t.same(pads().slice(2), [button(PadButton.b, true), button(PadButton.b, false)]);
});

for (const { type, file, a, b, ways, button, sticks } of CONSOLES) {
  t.test(`${type} in the player: on-screen pad, gamepads, other keys`, async t => {
    const started = await service.api('POST', '/console', {
      type,
      room_url: `${origin}/${file}`,
      width: 640,
      height: 400,
    });
    t.equal(started.status, 201);
    const viewer = await ViewerPage.open(browser, started.body.embed_url, 'secure', PHONE);
    t.teardown(() => viewer.close());
    const { page } = viewer;
    await shows(viewer, 'blue');

    await t.test('fingers play on a phone’s on-screen pad', async t => {
      const fingers = await Fingers.on(page);
      // The bar lies over the pad until it goes.
      await page.locator('.bar.open').waitFor({ state: 'detached' });
      const onA = await placeOn(page.getByRole('button', { name: a, exact: true }));
      const onB = await placeOn(page.getByRole('button', { name: b, exact: true }));
      const upOn = (name: string) => placeOn(page.getByRole('group', { name, exact: true }), 0.5, 0.15);
      const up = await upOn(ways);

      await fingers.down(1, onA);
      await shows(viewer, 'red');
      await fingers.move(1, onB);
      await shows(viewer, 'green');
      await fingers.up(1);
      await shows(viewer, 'blue');

      await fingers.down(1, up);
      await shows(viewer, 'yellow');
      await fingers.down(2, onA);
      await shows(viewer, 'red');
      await fingers.up(2);
      await shows(viewer, 'yellow');
      await fingers.cancel();
      await shows(viewer, 'blue');
      for (const [name, colour] of Object.entries(sticks)) {
        await fingers.down(1, await upOn(name));
        await shows(viewer, colour);
        await fingers.up(1);
        await shows(viewer, 'blue');
      }
      t.same(await page.evaluate(() => [scrollX, scrollY, visualViewport?.scale, String(getSelection())]), [
        0,
        0,
        1,
        '',
      ]);
    });

    await t.test('gamepads are plugged in, play, and release everything when unplugged', async () => {
      const gamepads = await VirtualGamepads.on(page);
      await gamepads.plugIn(0);
      await page.getByText('A gamepad was plugged in: it plays player 1.').waitFor();
      await gamepads.press(0, button, true);
      await shows(viewer, 'red');
      await gamepads.press(0, button, false);
      await shows(viewer, 'blue');
      await gamepads.press(0, button, true);
      await shows(viewer, 'red');
      await gamepads.unplug(0);
      await page.getByText('A gamepad was unplugged.').waitFor();
      await shows(viewer, 'blue');

      await gamepads.plugIn(0);
      await gamepads.plugIn(1);
      await page.getByRole('button', { name: 'Take a seat' }).click();
      await page.getByRole('button', { name: 'Player 1 and 2', includeHidden: true }).waitFor({ state: 'attached' });
      await gamepads.press(1, button, true);
      await shows(viewer, 'magenta');
      await gamepads.unplug(1);
      await shows(viewer, 'blue');
    });

    await t.test('a changed key binding survives a reload, and is undone by the reset', async () => {
      await press(viewer, 'Controls');
      await page.getByRole('button', { name: `Key of ${a}: X` }).click();
      await page.keyboard.press('p');
      await page.getByRole('button', { name: `Key of ${a}: P` }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.down('p');
      await shows(viewer, 'red');
      await page.keyboard.up('p');
      await shows(viewer, 'blue');

      await page.reload();
      await shows(viewer, 'blue');
      await page.keyboard.down('p');
      await shows(viewer, 'red');
      await page.keyboard.up('p');
      // Were X still A, red would win.
      await page.keyboard.down('x');
      await page.keyboard.down('z');
      await shows(viewer, 'green');
      await page.keyboard.up('z');
      await page.keyboard.up('x');
      await shows(viewer, 'blue');

      await press(viewer, 'Controls');
      await page.getByRole('button', { name: 'Reset to defaults' }).click();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.keyboard.down('x');
      await shows(viewer, 'red');
      await page.keyboard.up('x');
    });
    await service.api('DELETE', `/v0/vm/${started.body.session_id}`);
  });
}
