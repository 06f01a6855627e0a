// tags: containers
/** The player's page of a console: its bar and its dialog of controls. The session is a recording. */
import t from 'tap';
import type { Page } from 'playwright-core';
import { PadButton } from '../../src/protocol/pad.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { RecordedSession } from '../fixtures/services/recorded-session.js';
import { openPlayer } from '../fixtures/viewers/player-page.js';
import { until } from '../fixtures/until.js';
import { VirtualGamepads } from '../fixtures/viewers/virtual-gamepads.js';

const browser = await openBrowser(t);
const KINDS = ['nes', 'snes', 'n64', 'ps1'] as const;
type Kind = (typeof KINDS)[number];

/** What a player has pressed and let go of, in order: `+8` and `-8`. */
const buttons = (session: RecordedSession) =>
  session.received.flatMap(message =>
    message.is === 'pad' && message.event.control === 'button'
      ? [`${message.event.down ? '+' : '-'}${message.event.id}`]
      : [],
  );

async function playing(
  t: Parameters<typeof openPlayer>[0],
  kind: Kind,
  context = {},
): Promise<[RecordedSession, Page]> {
  const session = await RecordedSession.start(t);
  session.kind = kind;
  session.seats = [
    { player: 1, user_id: 'u1' },
    { player: 2, user_id: null },
  ];
  const page = await openPlayer(t, browser, session, 'secure', { context });
  await page.getByRole('button', { name: 'Player 1', includeHidden: true }).waitFor({ state: 'attached' });
  return [session, page];
}

async function openControls(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Controls', includeHidden: true }).dispatchEvent('click');
  await page.getByRole('dialog').waitFor();
}

t.test('the bar fits screens of any width', async t => {
  for (const kind of KINDS) {
    for (const [width, height, hasTouch] of [
      [1280, 720, false],
      [640, 400, false],
      [390, 844, true],
      [844, 390, true],
      [360, 640, true],
    ] as const) {
      const [session, page] = await playing(t, kind, { viewport: { width, height }, hasTouch, isMobile: hasTouch });
      if (kind === 'ps1') {
        session.send({ type: 'discs', disc: 1, labels: ['A quest of a long name (Disc 1)', 'and another'] });
        await page.locator('.tools .disc:not([hidden])').waitFor({ state: 'attached' });
      }
      const outside = await page.evaluate(() => {
        // It may have gone away meanwhile, or be about to.
        const bar = document.querySelector('.bar');
        bar?.classList.add('open');
        for (const transition of bar?.getAnimations({ subtree: true }) ?? []) transition.finish();
        return [...document.querySelectorAll('.tools > *')].flatMap(tool => {
          const { left, right, top, bottom } = tool.getBoundingClientRect();
          return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight
            ? []
            : [tool.ariaLabel ?? tool.className];
        });
      });
      t.same(outside, [], `${kind}: ${width} x ${height}`);
      const pads = page.getByRole('group', { name: 'Pad' });
      t.equal(await pads.isVisible(), hasTouch, 'a touch screen has a pad on it');
      await page.context().close();
    }
  }
});

t.test('while the controls are open nothing is played, and Escape closes them', async t => {
  const [session, page] = await playing(t, 'nes');
  await page.keyboard.down('x');
  await until('A is pressed', () => buttons(session).length === 1);
  await openControls(page);
  await until('it is let go of', () => buttons(session).length === 2);
  await page.keyboard.up('x');
  await page.keyboard.press('z');
  await page.getByRole('button', { name: 'Key of B: Z' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Key of B: Z' }).waitFor();
  t.equal(await page.getByRole('dialog').isVisible(), true, 'the first Escape gives up waiting for a key');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('x');
  await until('keys play again', () => buttons(session).length === 4);
  const { a } = PadButton;
  t.same(buttons(session), [`+${a}`, `-${a}`, `+${a}`, `-${a}`]);
});

t.test('keys play again even where the browser gives no notice before it closes the controls', async t => {
  const [session, page] = await playing(t, 'nes');
  await openControls(page);
  await page.evaluate(() => document.querySelector('dialog')?.close());
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('x');
  await until('keys play again', () => buttons(session).length === 2);
  await openControls(page);
  t.equal(await page.getByRole('dialog').isVisible(), true, 'they can be opened anew');
});

t.test('a key that is reassigned is taken from its control; one can be cleared, and all can be reset', async t => {
  const [, page] = await playing(t, 'snes');
  await openControls(page);
  const key = (control: string, name: string) =>
    page.getByRole('button', { name: `Key of ${control}: ${name}`, exact: true });
  await key('A', 'X').click();
  await page.keyboard.press('Enter');
  await key('A', 'Enter').waitFor();
  await key('Start', 'none').waitFor();
  await page.getByRole('button', { name: 'Clear: Key of B' }).click();
  await key('B', 'none').waitFor();
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  for (const [control, name] of [
    ['A', 'X'],
    ['Start', 'Enter'],
    ['B', 'Z'],
  ] as const)
    await key(control, name).waitFor();
  t.equal(await page.evaluate(() => localStorage.getItem('berth.controls.snes')), null);
});

t.test('a button of any gamepad is assigned by pressing it', async t => {
  const [session, page] = await playing(t, 'ps1');
  const gamepads = await VirtualGamepads.on(page);
  await gamepads.plugIn(0);
  await openControls(page);
  await page.getByRole('button', { name: 'Gamepad button of Circle ○: Right' }).click();
  await gamepads.press(0, 16, true);
  await page.getByRole('button', { name: 'Gamepad button of Circle ○: Home' }).waitFor();
  await gamepads.press(0, 16, false);
  await page.getByRole('button', { name: 'Done' }).click();
  await gamepads.press(0, 16, true);
  t.equal(await until('it plays', () => buttons(session)[0]), `+${PadButton.a}`);
});

/** With its cross on an axis that rests outside its range, and buttons in an order of its own. */
const OTHER = { id: 'Old pad (Vendor: 0079 Product: 0011)', axes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 3.28] };
const CROSS_AXIS = 9;
const CROSS = { Up: -1, Down: 1 / 7, Left: 5 / 7, Right: -3 / 7 };

t.test('a gamepad whose layout the browser does not know is set up once, by its buttons', async t => {
  const [session, page] = await playing(t, 'nes');
  const gamepads = await VirtualGamepads.on(page);
  await gamepads.plugIn(0, OTHER);
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up gamepad' });
  await dialog.getByText(OTHER.id).waitFor();
  for (const [way, value] of Object.entries(CROSS)) {
    await dialog.getByText(`Press ${way}`).waitFor();
    await gamepads.turn(0, CROSS_AXIS, value);
    await gamepads.turn(0, CROSS_AXIS, 3.28);
  }
  await dialog.getByText('Press A').waitFor();
  await gamepads.press(0, 5, true);
  await dialog.getByText('Press B').waitFor();
  await dialog.getByRole('button', { name: 'Back' }).click();
  await gamepads.press(0, 5, false);
  await dialog.getByText('Press A').waitFor();
  await gamepads.press(0, 2, true);
  await dialog.getByText('Press B').waitFor();
  await gamepads.press(0, 2, false);
  await gamepads.turn(0, 0, 0);
  await gamepads.press(0, 2, true);
  await gamepads.press(0, 7, true);
  await dialog.getByText('Press Start').waitFor();
  await gamepads.press(0, 2, false);
  await gamepads.press(0, 7, false);
  await dialog.getByText('7 of 8').waitFor();
  await dialog.getByRole('button', { name: 'Skip' }).click();
  await dialog.getByText('Press Select').waitFor();
  t.same(buttons(session), [], 'nothing is played until all are known');
  await gamepads.press(0, 0, true);
  await dialog.waitFor({ state: 'detached' });
  await gamepads.press(0, 0, false);
  const { a, b, up, right, down, left, select } = PadButton;
  await page.getByText('A gamepad was plugged in: it plays player 1.').waitFor();
  await until('the last button, which plays already, is let go', () => buttons(session).includes(`-${select}`));
  const plays = async () => {
    session.received.length = 0;
    await gamepads.press(0, 2, true);
    await until('A', () => buttons(session).includes(`+${a}`));
    await gamepads.press(0, 2, false);
    await gamepads.press(0, 7, true);
    await until('B', () => buttons(session).includes(`+${b}`));
    await gamepads.press(0, 7, false);
    for (const value of [CROSS.Up, -5 / 7, CROSS.Right, CROSS.Down, CROSS.Left, 3.28])
      await gamepads.turn(0, CROSS_AXIS, value);
    await gamepads.press(0, 0, true);
    await until('Select', () => buttons(session).includes(`+${select}`));
    await gamepads.press(0, 0, false);
    const [, , , , ...rest] = await until('all are let go', () => buttons(session).length === 14 && buttons(session));
    t.same(rest.slice(0, 3).sort(), [`+${right}`, `+${up}`, `-${up}`].sort(), 'between two ways it is both');
    t.same(rest.slice(3), [`+${down}`, `-${right}`, `-${down}`, `+${left}`, `-${left}`, `+${select}`, `-${select}`]);
  };
  await plays();

  await page.reload();
  await page.getByRole('button', { name: 'Player 1', includeHidden: true }).waitFor({ state: 'attached' });
  await VirtualGamepads.on(page);
  await gamepads.plugIn(0, OTHER);
  await page.getByText('A gamepad was plugged in: it plays player 1.').waitFor();
  await plays();

  await openControls(page);
  await page.getByRole('button', { name: 'Gamepad button of A: Right' }).click();
  await gamepads.press(0, 7, true);
  await page.getByRole('button', { name: 'Gamepad button of A: Lower' }).waitFor();
  await gamepads.press(0, 7, false);
  await page.getByRole('button', { name: 'Set up gamepad' }).click();
  await dialog.getByText('Press Up').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('x');
  await until('keys play again', () => buttons(session).at(-1) === `-${a}`);
});

t.test('unreadable settings are ignored', async t => {
  const [session, page] = await playing(t, 'nes');
  for (const kept of ['{', 'null', '{"a":{"keys":["x"],"pad":[]}}', '[]']) {
    await page.evaluate(kept => localStorage.setItem('berth.controls.nes', kept), kept);
    await page.reload();
    await page.getByRole('button', { name: 'Player 1', includeHidden: true }).waitFor({ state: 'attached' });
    const before = buttons(session).length;
    await page.keyboard.press('x');
    await until('X is A', () => buttons(session).length === before + 2);
    t.equal(buttons(session).at(-1), `-${PadButton.a}`, kept);
  }
});
