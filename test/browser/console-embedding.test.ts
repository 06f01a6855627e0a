// tags: containers
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { embeddingPage, told, type Embedding } from '../fixtures/pages/embedding-page.js';
import { serveCards } from '../fixtures/consoles/cards.js';
import { colourOf, type Colour } from '../fixtures/consoles/hue.js';
import { integratorPage } from '../fixtures/pages/integrator.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';

declare const embedding: Embedding;

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const origin = await serveCards(t);
const browser = await openBrowser(t);

/** Runs in the page: the pixel in the middle of a picture of the display. */
async function middle(): Promise<number[]> {
  const bitmap = await createImageBitmap(await embedding.session.screenshot(160));
  const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
  context.drawImage(bitmap, bitmap.width >> 1, bitmap.height >> 1, 1, 1, 0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

/** A page of an integrator's that shows a session with the SDK that the service serves. */
async function viewer(embedUrl: string, adminToken: string | undefined) {
  const page = await integratorPage(t, browser, embeddingPage(`${service.url}/sdk.js`));
  await page.waitForFunction(() => 'mount' in window);
  const options = { timeout: 60_000, ...(adminToken === undefined ? {} : { adminToken }) };
  const mounted = await page.evaluate(([options, url]) => embedding.mount(options, url), [options, embedUrl] as const);
  if (mounted !== 'mounted') throw new Error(mounted);
  return {
    page,
    id: await page.evaluate(() => embedding.session.userId),
    /** Asks for something; gives the answer, or the error's code. */
    ask: (script: string) =>
      page.evaluate<unknown>(`${script}.then(value => value ?? 'done', ({ code, message }) => code ?? message)`),
    /** Waits until the page has been told that these are the players. */
    hears: (...users: (string | null)[]) =>
      until(`the players are ${users.join(', ')}`, async () => {
        const seats = (await told(page, 'seats')).at(-1) as { userId: string | null }[];
        return (
          seats.length >= Math.max(1, users.length) && seats.every(({ userId }, i) => userId === (users[i] ?? null))
        );
      }),
    shows: (wanted: Colour) =>
      until(
        `the picture is ${wanted}`,
        async () => colourOf(await page.evaluate(middle).catch(() => [])) === wanted,
        30_000,
      ),
  };
}

t.test('two viewers of a console on pages of an integrator', async t => {
  const started = await service.api('POST', '/console', {
    type: 'nes',
    room_url: `${origin}/card.nes`,
    width: 640,
    height: 400,
  });
  const { session_id: id, embed_url: url, admin_token: adminToken } = started.body;
  const host = await viewer(url, adminToken);
  const guest = await viewer(url, undefined);
  await host.shows('blue');

  await t.test('both are told who plays, and take and leave seats', async t => {
    await Promise.all([host, guest].map(each => each.hears(host.id)));
    t.match(await guest.ask('session.takeSeat()'), [
      { player: 1, userId: host.id },
      { player: 2, userId: guest.id },
    ]);
    await Promise.all([host, guest].map(each => each.hears(host.id, guest.id)));
    t.equal(await guest.ask('session.takeSeat(1)'), 'seat_taken');
    await host.ask('session.takeSeat(3)');
    await guest.ask('session.leaveSeat(2)');
    await Promise.all([host, guest].map(each => each.hears(host.id, null, host.id)));
  });

  await t.test('without a free seat, or without the role, one watches', async t => {
    await host.ask('session.takeSeat(2)');
    await host.ask('session.takeSeat(4)');
    await guest.hears(host.id, host.id, host.id, host.id);
    t.equal(await guest.ask('session.takeSeat()'), 'seat_taken');
    await host.ask('session.leaveSeat()');
    await guest.hears();
    await host.ask(`session.removeRoles(['${guest.id}'], ['control'])`);
    t.equal(await guest.ask('session.takeSeat()'), 'role_required');
    t.equal(await guest.ask('session.console.reset()'), 'role_required');
    t.equal(await guest.ask('session.tabs.query({})'), 'not_a_browser');
    await guest.shows('blue');
  });

  await t.test('the game is paused, saved, reset and loaded', async t => {
    await host.ask('session.takeSeat(1)');
    await host.page.keyboard.down('Enter');
    await host.shows('white');
    await host.page.keyboard.up('Enter');
    t.equal(await host.ask('session.console.saveState(9)'), 'done');
    t.equal(await host.ask('session.console.reset()'), 'done');
    await host.shows('blue');
    t.equal(await host.ask('session.console.loadState(9)'), 'done');
    await host.shows('white');
    t.equal(await host.ask('session.console.loadState(8)'), 'slot_empty');
    t.equal(await host.ask('session.console.pause(true)'), 'done');
    t.equal(await host.ask('session.console.pause(false)'), 'done');
    t.equal(await host.ask('session.console.fastForward(true)'), 'done');
    t.equal(await host.ask('session.console.fastForward(false)'), 'done');
    await host.shows('white');
  });

  await t.test('whoever reconnects is the player it was', async t => {
    await host.ask('session.leaveSeat(1)');
    await host.ask('session.takeSeat(3)');
    const id = await host.page.evaluate(async () => {
      const { session } = embedding;
      const { userId } = session;
      session.reconnect();
      while (session.userId === userId) await new Promise(resolve => setTimeout(resolve, 20));
      return session.userId;
    });
    t.not(id, host.id);
    await guest.hears(null, null, id);
  });

  await t.test('whoever leaves frees the seat, and the other page is told', async () => {
    await host.page.evaluate(() => embedding.session.destroy());
    await guest.hears();
  });
  await service.api('DELETE', `/v0/vm/${id}`);
});
