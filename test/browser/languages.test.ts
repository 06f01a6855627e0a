// tags: containers
/** Viewers read their language, in the player and where pages show sessions by the SDK. The sessions are recordings. */
import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import type { ToViewer } from '../../src/protocol/generated/schemas.js';
import { ENGLISH } from '../../src/web/languages/english.js';
import { TABLES } from '../../src/web/languages/tables/index.js';
import { embed, type Embedding } from '../fixtures/pages/embedding-page.js';
import { RecordedSession } from '../fixtures/services/recorded-session.js';
import { until } from '../fixtures/until.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { openBar, openPlayer, overlayText, pixelAt } from '../fixtures/viewers/player-page.js';

declare const embedding: Embedding;

const browser = await openBrowser(t);

const ADMIN: ToViewer = { type: 'access', admin: true, roles: ['control'], permissions: {} };
const PEOPLE = ['Ada', 'Guest 2'].map((name, i) => ({
  ...{ user_id: String(i), name, admin: i === 0, controls: true },
  ...{ control_disabled: false, control_exclusive: false },
}));

/** A player whose browser has this locale, with a picture. */
async function openIn(t: Test, locale: string, hash = ''): Promise<{ session: RecordedSession; page: Page }> {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure', { context: { locale }, hash });
  session.send(ADMIN);
  session.send({ type: 'users', users: PEOPLE });
  await session.shown(await session.play('wide', 3));
  return { session, page };
}

const languageOf = (page: Page) =>
  page.evaluate(() => [document.documentElement.lang, document.documentElement.dir] as const);

const filesOf = ({ requested }: RecordedSession) => requested.filter(path => path.includes('/languages/'));

t.test('a German browser shows the player in German', async t => {
  const { session, page } = await openIn(t, 'de-DE');
  t.same(await languageOf(page), ['de', 'ltr']);
  t.same(filesOf(session), ['/assets/languages/de.json'], 'the only file of a language, loaded once');
  await openBar(page);
  await page.getByRole('button', { name: TABLES.de.mute }).waitFor();
  await page.getByRole('button', { name: TABLES.de.people }).click();
  await page.getByRole('heading', { name: `2 ${TABLES.de.people}` }).waitFor();
  await page.getByRole('button', { name: `${TABLES.de.handOver}: Guest 2` }).waitFor();

  session.send({ type: 'notice', code: 'page_crashed', message: 'The page has crashed and is loaded again.' });
  await page.getByText(TABLES.de.notice_page_crashed).waitFor();
  session.send({ type: 'end', reason: 'inactive' });
  await until('it says why it is over', async () => (await overlayText(page)).includes(TABLES.de.ended_inactive));
});

t.test('in Arabic what surrounds the picture is written from right to left, and the picture is as it was', async t => {
  const { session, page } = await openIn(t, 'ar-EG');
  t.same(await languageOf(page), ['ar', 'rtl']);
  await openBar(page);
  await page.getByRole('button', { name: 'الأشخاص' }).click();
  const list = page.getByRole('region', { name: 'الأشخاص' });
  const width = await page.evaluate(() => innerWidth);
  const box = (await list.boundingBox()) ?? { x: width, width };
  t.ok(box.x + box.width < width / 2 + 200 && box.x < 40, 'the list is at the left');
  t.equal(await page.locator('.people .name').last().textContent(), 'Guest 2', 'names are as they are');

  const english = await openIn(t, 'en-US');
  t.same(await pixelAt(page, 0.25, 0.5), await pixelAt(english.page, 0.25, 0.5), 'the same picture');
  for (const each of [{ session, page }, english]) {
    each.session.received.length = 0;
    await each.page.mouse.click(200, 300);
  }
  const clicks = () =>
    [session, english.session].map(({ received }) =>
      received.flatMap(message => (message.is === 'input' && message.event.type === 'move' ? [message.event] : [])),
    );
  await until('both are clicked', () => clicks().every(moves => moves.length > 0));
  const [here, there] = clicks();
  t.same(here?.at(-1), there?.at(-1), 'at the same place');
});

t.test('the address chooses the language, and what is none does not count', async t => {
  const japanese = await openIn(t, 'de-DE', '#lang=ja');
  t.same(await languageOf(japanese.page), ['ja', 'ltr']);
  const none = await openIn(t, 'de-DE', '#lang=%22');
  t.same(await languageOf(none.page), ['de', 'ltr']);
  const norwegian = await openIn(t, 'de-DE', '#lang=nb');
  t.same(await languageOf(norwegian.page), ['en', 'ltr'], 'there is no Norwegian');
  t.same(filesOf(norwegian.session), [], 'English is built in');
});

t.test('where the language cannot be loaded, viewers read English', async t => {
  const session = await RecordedSession.start(t);
  const script = () => {
    const { fetch } = globalThis;
    globalThis.fetch = (...request) =>
      String(request[0]).includes('/languages/') ? Promise.reject(new TypeError('no')) : fetch(...request);
  };
  const page = await openPlayer(t, browser, session, 'secure', { context: { locale: 'de-DE' }, script });
  t.same(await languageOf(page), ['en', 'ltr']);
  await session.shown(await session.play('wide', 3));
  t.pass('the session plays');
});

t.test('the SDK shows its words in the language that a page names', async t => {
  const [session, page] = await embed(t, browser);
  t.equal(await page.evaluate(() => embedding.mount({ lang: 'he' })), 'mounted');
  await until('the file is fetched', () => filesOf(session).includes('/assets/languages/he.json'));
  session.send({ type: 'end', reason: 'kicked' });
  const status = page.locator('.status.shown');
  await status.getByText('הוצאת מהסשן.').waitFor();
  t.equal(await status.getAttribute('dir'), 'rtl');
  t.equal(await status.getAttribute('lang'), 'he');
});

t.test('without JavaScript, without which it cannot be chosen, every language says what is missing', async t => {
  const session = await RecordedSession.start(t);
  const context = await browser.newContext({ javaScriptEnabled: false });
  t.teardown(() => context.close());
  const page = await context.newPage();
  await page.goto(session.embedUrl('secure'));
  const lines = page.locator('noscript p');
  t.same(
    await lines.allTextContents(),
    [ENGLISH, ...Object.values(TABLES)].map(({ needsScript }) => needsScript),
  );
  const { x, y, width, height } = (await lines.last().boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN };
  t.ok(x >= 0 && x + width <= 1280 && y + height <= 720, 'the last one is seen as well');
});
