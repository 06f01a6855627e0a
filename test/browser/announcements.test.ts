// tags: containers
/** What those who hear the player are told, and what it does for those who want less motion or more contrast. */
import t from 'tap';
import type { Page } from 'playwright-core';
import { RecordedSession } from '../fixtures/services/recorded-session.js';
import { until } from '../fixtures/until.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { openBar, openPlayer, overlayText } from '../fixtures/viewers/player-page.js';

const browser = await openBrowser(t);

interface Told extends Window {
  told: string[];
}

/** Notes what is written to live regions; runs in the page, before its own scripts. */
function listen(): void {
  const live = '[role=status], [role=alert], [role=log], [aria-live]';
  const told: string[] = [];
  Object.assign(window, { told });
  const note = (records: MutationRecord[]) => {
    for (const { target, addedNodes } of records) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(live);
      const text = [...addedNodes].map(node => node.textContent).join('');
      if (region && text !== '' && !told.includes(text)) told.push(text);
    }
  };
  const watch = (root: Node) =>
    new MutationObserver(note).observe(root, { subtree: true, childList: true, characterData: true });
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (this: Element, init: ShadowRootInit) {
    const root = attach.call(this, init);
    watch(root);
    return root;
  };
  addEventListener('DOMContentLoaded', () => watch(document.body));
}

const tells = (page: Page, sentence: string | RegExp) =>
  until(`it tells: ${String(sentence)}`, async () => {
    const told = await page.evaluate(() => (window as unknown as Told).told);
    return told.some(text => (typeof sentence === 'string' ? text === sentence : sentence.test(text)));
  });

t.test('the connection, control, privacy, files, and the end are told', async t => {
  const session = await RecordedSession.start(t);
  session.results['files.drop'] = { value: {} };
  const page = await openPlayer(t, browser, session, 'secure', { script: listen });
  await tells(page, 'Starting…');
  await session.shown(await session.play('wide', 2));
  await tells(page, 'Connected.');
  const access = { type: 'access', admin: false, permissions: {} } as const;
  const roles = ['control', 'file_download'] as ['control', 'file_download'];
  session.send({ ...access, roles, controls: false });
  await tells(page, 'You no longer have control of this session.');
  session.send({ ...access, roles, controls: true });
  await tells(page, 'You have control of this session now.');
  session.send({ type: 'download', id: 'd1', name: 'a.txt', size: 5 });
  await tells(page, 'Downloads: a.txt');
  session.send({ type: 'privacy', user_id: 'guest' });
  await tells(page, /^One person has this session in private now/);
  session.send({ type: 'end', reason: 'inactive' });
  await tells(page, 'This session has ended because of inactivity.');
});

t.test('the time to the end is told at once and a few times more, not each second', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure', { script: listen });
  const warn = (delay_ms: number) =>
    session.send({ type: 'warning', timeout: 'inactive', delay_ms, close_date: new Date().toISOString() });
  warn(12_900);
  await tells(page, 'This session ends in 13 s because nobody is using it.');
  await page.getByText('This session ends in 9 s').waitFor();
  const told = await page.evaluate(() => (window as unknown as Told).told.filter(text => text.includes('ends in')));
  t.same(
    told.map(text => /\d+ s/.exec(text)?.[0]),
    ['13 s', '10 s'],
  );
});

/** How many animations and transitions there are, shadow roots included. */
const motions = (page: Page) =>
  page.evaluate(
    () =>
      document.getAnimations().length + (document.querySelector('#session')?.shadowRoot?.getAnimations().length ?? 0),
  );

t.test('nothing moves for those who want less motion', async t => {
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    const session = await RecordedSession.start(t);
    const page = await openPlayer(t, browser, session, 'secure', { context: { reducedMotion } });
    await until('it waits', async () => (await overlayText(page)) === 'Starting…');
    // The bar comes and goes.
    await page.locator('.bar.open').waitFor({ state: 'detached' });
    const going = await motions(page);
    await openBar(page);
    const coming = await motions(page);
    if (reducedMotion === 'reduce') t.same([going, coming], [0, 0]);
    else t.ok(going > 0 && coming > 0, 'others see the spinner turn, and the bar slide');
  }
});

t.test('more contrast and forced colours', async t => {
  const session = await RecordedSession.start(t);
  session.kind = 'snes';
  session.game = { type: 'game', paused: true, fast_forward: false };
  const page = await openPlayer(t, browser, session, 'secure');
  await openBar(page);
  const [pause, fast] = [
    page.getByRole('button', { name: 'Pause' }),
    page.getByRole('button', { name: 'Fast-forward' }),
  ];
  const style = (of: typeof pause, name: 'color' | 'borderTopWidth') =>
    of.evaluate((node, name) => getComputedStyle(node)[name], name);
  const surface = () => page.locator('.tools').evaluate(node => getComputedStyle(node).backgroundColor);
  await pause.waitFor();
  t.match(await surface(), /^rgba/, 'the picture is seen through the bar');
  await page.emulateMedia({ contrast: 'more' });
  t.match(await surface(), /^rgb\(/, 'not where more contrast is wanted');
  await page.emulateMedia({ contrast: 'no-preference', forcedColors: 'active' });
  t.equal(await style(fast, 'borderTopWidth'), '1px', 'buttons have an edge');
  t.not(await style(pause, 'color'), await style(fast, 'color'), 'what is pressed is seen');
});
