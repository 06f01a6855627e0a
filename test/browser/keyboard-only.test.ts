// tags: containers
/** Whoever has a keyboard only reaches everything, and leaves the picture again. */
import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { openApplication, showSession } from '../fixtures/pages/application.js';
import { RecordedSession } from '../fixtures/services/recorded-session.js';
import { until } from '../fixtures/until.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { openPlayer, overlayText } from '../fixtures/viewers/player-page.js';

const browser = await openBrowser(t);

/** The keys that the session has down, and the letters that it got. */
function keysOf({ received }: RecordedSession): { held: number; typed: string } {
  const held = new Set<number>();
  let typed = '';
  for (const message of received) {
    if (message.is !== 'input') continue;
    const { event } = message;
    if (event.type === 'release') held.clear();
    if (event.type !== 'key') continue;
    if (event.down) held.add(event.keysym);
    else held.delete(event.keysym);
    if (event.down && event.keysym < 0x80) typed += String.fromCharCode(event.keysym);
  }
  return { held: held.size, typed };
}

/** What has the focus: its name, its ID or its tag; inside shadow roots, too. */
const focused = (page: Page) =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.getAttribute('aria-label') ?? (at?.id || at?.textContent || at?.tagName);
  });

const PICTURE = 'Keyboard input of the session';

for (const way of ['sdk', 'module'] as const) {
  t.test(`Ctrl, Alt and Shift lead out of a picture on an application's page: ${way}`, async t => {
    const [session, page] = await openApplication(t, browser);
    await showSession(page, session, way);
    await page.locator('#before').focus();
    await page.keyboard.press('Tab');
    t.equal(await focused(page), PICTURE, 'Tab leads into it');
    t.ok(await page.locator('.ring').isVisible(), 'that is seen');
    t.ok(await page.getByText('Ctrl, Alt and Shift, pressed together and released').isVisible(), 'and how to leave');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+Alt+Shift+k');
    await until('keys are the session’s, with all modifiers, too', () => keysOf(session).typed.toLowerCase() === 'k');
    t.equal(await focused(page), PICTURE);

    for (const key of ['Shift', 'Control', 'Alt']) await page.keyboard.down(key);
    await until('the session has them', () => keysOf(session).held === 3);
    for (const key of ['Control', 'Alt', 'Shift']) await page.keyboard.up(key);
    t.equal(await focused(page), 'after', 'the focus goes on to what follows on the page');
    await until('no key is stuck', () => keysOf(session).held === 0);
    t.notOk(await page.locator('.ring').isVisible());
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+Tab');
    t.equal(await focused(page), PICTURE, 'Shift and Tab lead back');
    await page.keyboard.press('y');
    await until('keys are the session’s again', () => keysOf(session).typed.endsWith('y'));
    t.notMatch(keysOf(session).typed, 'x', 'between, they were the page’s');
  });
}

t.test('where nothing follows on the page, keys are the page’s until the viewer comes back', async t => {
  const [session, page] = await openApplication(t, browser);
  await page.evaluate(() => document.getElementById('after')?.remove());
  await showSession(page, session, 'sdk');
  await page.keyboard.press('a');
  await until('they are delegated', () => keysOf(session).typed === 'a');
  await page.keyboard.press('Control+Alt+Shift');
  await page.keyboard.press('b');
  await page.keyboard.press('Shift+Tab');
  await until('what comes before is reached', async () => (await focused(page)) !== 'BODY');
  await page.locator('#sdk').click();
  await page.keyboard.press('c');
  await until('a click leads back', () => keysOf(session).typed === 'ac');
  t.notOk(await page.locator('.ring').isVisible(), 'whoever clicks sees no ring');
});

t.test('an application’s page moves the focus where it wants', async t => {
  const [session, page] = await openApplication(t, browser);
  await showSession(page, session, 'sdk', 'before');
  await page.locator('#sdk').click();
  await page.keyboard.press('Control+Alt+Shift');
  t.equal(await focused(page), 'before');
  await page.keyboard.press('Tab');
  t.equal(await focused(page), PICTURE);
});

/** Opens the player, with the keyboard's focus in its bar. */
async function open(t: Test): Promise<[RecordedSession, Page]> {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure');
  await session.shown(await session.play('wide', 2));
  await until('the picture is there', async () => (await overlayText(page)) === '');
  session.send({ type: 'access', admin: true, roles: ['control'], permissions: {} });
  await page.keyboard.press('Control+Alt+Shift');
  t.equal(await focused(page), 'Mute');
  return [session, page];
}

const comesTo = (page: Page, name: string) =>
  until(`the focus is on ${name}`, async () => (await focused(page)) === name);

t.test('arrow keys go through the bar; lists are opened, and left to where they were opened', async t => {
  const [session, page] = await open(t);
  session.send({ type: 'users', users: [] });
  session.send({ type: 'download', id: 'd1', name: 'a.txt', size: 5 });
  await page.getByRole('link', { name: 'Save a.txt' }).waitFor();
  await page.getByRole('button', { name: 'Hide the downloads' }).press('Enter');
  await comesTo(page, PICTURE);

  await page.keyboard.press('Control+Alt+Shift');
  await page.keyboard.press('End');
  t.equal(await focused(page), 'People');
  await page.keyboard.press('ArrowRight');
  t.equal(await focused(page), 'Mute', 'from the last to the first');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  t.equal(await focused(page), 'Downloads');
  await page.keyboard.press('Enter');
  t.equal(await focused(page), 'Save a.txt');
  await page.keyboard.press('Escape');
  t.equal(await focused(page), 'Downloads');

  const person = { user_id: 'ada', name: 'Ada', admin: false, controls: true };
  session.send({ type: 'users', users: [{ ...person, control_disabled: false, control_exclusive: false }] });
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  t.equal(await focused(page), 'Hand over: Ada');
  // Meanwhile the bar hides.
  await page.locator('.bar.open').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  t.equal(await focused(page), 'People');
  await page.keyboard.press('Escape');
  t.equal(await focused(page), PICTURE);
});

t.test('windows are chosen and closed', async t => {
  const [session, page] = await open(t);
  session.results['windows.close'] = { value: {} };
  session.results['windows.activate'] = { value: {} };
  const window = (id: number, title: string, active = false) =>
    ({ id, kind: 'browser', title, active, x: 0, y: 0, width: 9, height: 9 }) as const;
  session.send({ type: 'windows', windows: [window(1, 'One'), window(2, 'Two', true), window(3, 'Three')] });
  await page.getByRole('button', { name: '3 windows' }).focus();
  await page.keyboard.press('Enter');
  t.equal(await focused(page), 'Two');
  await page.keyboard.press('Tab');
  t.equal(await focused(page), 'Close Two');
  await page.keyboard.press('Enter');
  await until('it is called', () => session.control.some(message => message.type === 'call'));
  session.send({ type: 'windows', windows: [window(1, 'One', true), window(3, 'Three')] });
  await comesTo(page, 'One');
  await page.keyboard.press('Escape');
  t.equal(await focused(page), '2 windows');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  t.equal(await focused(page), PICTURE, 'a chosen window has the keyboard');
});

t.test('what pages ask takes the focus from the picture, and gives it back', async t => {
  const [session, page] = await open(t);
  session.results['dialogs.accept'] = { value: {} };
  session.send({ type: 'display', width: 360, height: 640, fps: 30, max_area: 1920 * 1080 });
  await page.keyboard.press('Escape');
  const ask = (id: string) =>
    ({ id, type: 'prompt', tab_id: 3, origin: 'https://example.com', message: 'Who?' }) as const;
  session.send({ type: 'dialogs', dialogs: [{ ...ask('first'), default_value: '' }] });
  await comesTo(page, 'Answer');
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  const call = await until('it is answered', () => session.control.find(({ type }) => type === 'call'));
  t.match(call, { method: 'dialogs.accept', args: ['first', { text: 'Ada' }] });
  session.send({ type: 'dialogs', dialogs: [] });
  await comesTo(page, PICTURE);
  t.equal(keysOf(session).typed, '', 'the session has none of it');
});
