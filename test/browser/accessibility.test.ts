// tags: containers
/** What axe-core finds on the pages and in the player's states, dark and wide, light and narrow: nothing. */
import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { openApplication, showSession } from '../fixtures/pages/application.js';
import { serveInProcess } from '../fixtures/services/in-process.js';
import { RecordedSession } from '../fixtures/services/recorded-session.js';
import { until } from '../fixtures/until.js';
import { problemsInAllLooks } from '../fixtures/viewers/axe.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { person } from '../fixtures/viewers/person.js';
import { openBar, openPlayer, overlayText } from '../fixtures/viewers/player-page.js';

const browser = await openBrowser(t);

const check = async (t: Test, page: Page, state: string) => t.same(await problemsInAllLooks(page), [], state);

/** Opens the player; the bar stays open, for the keyboard's focus is on it. */
async function open(t: Test, session: RecordedSession): Promise<Page> {
  const page = await openPlayer(t, browser, session, 'secure');
  await session.shown(await session.play('wide', 2));
  await until('the picture is there', async () => (await overlayText(page)) === '');
  await page.keyboard.press('Control+Alt+Shift');
  return page;
}

const PEOPLE = [person('u1', 'Ada', { admin: true, color: '#7048e8' }), person('guest', 'Guest 2')];

t.test('the pages of the service', async t => {
  const { url } = await serveInProcess(t);
  const page = await browser.newPage();
  t.teardown(() => page.close());
  await page.goto(url);
  await check(t, page, 'home');
  await page.getByLabel('API key').fill('wrong-key-of-nobody');
  await page.getByRole('button', { name: 'Start a browser' }).click();
  await page.getByText('not one of the API keys').waitFor();
  await check(t, page, 'home with an error');
  await page.goto(`${url}/docs`);
  await check(t, page, 'the documentation');
});

t.test('the player before there is a picture, and after the end', async t => {
  const session = await RecordedSession.start(t);
  session.answering = false;
  const page = await openPlayer(t, browser, session, 'secure');
  await check(t, page, 'connecting');
  session.answering = true;
  await page.reload();
  await until('it waits', async () => (await overlayText(page)) === 'Starting…');
  await check(t, page, 'starting');
  session.send({ type: 'end', reason: 'inactive' });
  await until('it has ended', async () => /has ended/.test(await overlayText(page)));
  await check(t, page, 'ended');
  session.status = 401;
  await page.reload();
  await until('it is refused', async () => /not allowed/.test(await overlayText(page)));
  await check(t, page, 'refused');
});

t.test('the player of a browser', async t => {
  const session = await RecordedSession.start(t);
  const page = await open(t, session);
  await check(t, page, 'with the bar');
  session.send({ type: 'access', admin: true, roles: ['control'], permissions: {} });
  session.send({ type: 'users', users: PEOPLE });
  session.send({ type: 'pointer', user_id: 'guest', x: 0.5, y: 0.5 });
  await openBar(page);
  await page.getByRole('button', { name: 'Others’ pointers' }).click();
  await page.getByRole('button', { name: 'People' }).click();
  const window = { x: 0, y: 0, width: 9, height: 9, active: false };
  session.send({
    type: 'windows',
    windows: [
      { ...window, id: 1, kind: 'browser', title: 'A page', active: true },
      { ...window, id: 2, kind: 'popup', title: '' },
    ],
  });
  await page.getByRole('button', { name: '2 windows' }).click();
  session.send({ type: 'warning', timeout: 'inactive', delay_ms: 99_000, close_date: new Date().toISOString() });
  session.send({ type: 'access', admin: true, roles: ['control'], permissions: {}, controls: false });
  session.send({ type: 'access', admin: true, roles: ['control'], permissions: {}, controls: true });
  await page.getByText('You have control of this session now.').waitFor();
  await check(t, page, 'with people, windows, a warning and a notice');
  session.send({ type: 'privacy', user_id: 'guest' });
  await page.getByText('One person has this session in private now.').waitFor();
  await check(t, page, 'in private');
});

t.test('the player’s files and dialogs', async t => {
  const session = await RecordedSession.start(t);
  const page = await open(t, session);
  session.send({ type: 'access', admin: true, roles: ['control'], permissions: {} });
  session.send({ type: 'download', id: 'd1', name: 'Invoice.pdf', size: 123_456 });
  session.send({ type: 'file_chooser', open: true, multiple: true, accept: '' });
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  await check(t, page, 'downloads and a file chooser');
  session.send({ type: 'display', width: 360, height: 640, fps: 30, max_area: 1920 * 1080 });
  for (const type of ['alert', 'confirm', 'prompt', 'beforeunload'] as const) {
    const dialog = { id: type, type, tab_id: 3, origin: 'https://example.com', message: 'Who?', default_value: '' };
    session.send({ type: 'dialogs', dialogs: [dialog] });
    await page.getByText('Who?').waitFor();
    await check(t, page, `a dialog: ${type}`);
  }
});

t.test('the players of a console and of Android', async t => {
  const session = await RecordedSession.start(t);
  session.kind = 'snes';
  session.seats = [
    { player: 1, user_id: 'u1' },
    { player: 2, user_id: null },
  ];
  const page = await openPlayer(t, browser, session, 'secure', { context: { hasTouch: true, isMobile: true } });
  await session.shown(await session.play('wide', 2));
  await page.keyboard.press('Control+Alt+Shift');
  await page.getByRole('button', { name: 'On-screen pad' }).click();
  await check(t, page, 'a console with its pad');
  await page.getByRole('button', { name: 'Controls' }).click();
  await page.getByRole('dialog', { name: 'Controls' }).waitFor();
  await check(t, page, 'its controls');

  session.kind = 'android';
  await page.reload();
  await page.getByRole('button', { name: 'Recent apps' }).waitFor({ state: 'attached' });
  await page.keyboard.press('Control+Alt+Shift');
  await check(t, page, 'Android');
});

t.test('a page that shows sessions by the SDK, and by the module for the hosted client', async t => {
  const [session, page] = await openApplication(t, browser);
  for (const way of ['sdk', 'module'] as const) await showSession(page, session, way);
  await check(t, page, 'with both');
});
