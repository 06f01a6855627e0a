/** Takes the README's pictures, of viewers of real sessions. Needs `make build images` before. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../test/fixtures/viewers/browser.js';
import { containerOf } from '../test/fixtures/engines/docker.js';
import { Fingers, placeOn } from '../test/fixtures/viewers/fingers.js';
import { freePort } from '../test/fixtures/networks/free-port.js';
import { serveCards } from '../test/fixtures/consoles/cards.js';
import { openBar } from '../test/fixtures/viewers/player-page.js';
import type { Service } from '../test/fixtures/services/service.js';
import { serveIn } from '../test/fixtures/pages/site-in-container.js';
import { until } from '../test/fixtures/until.js';
import { startBerth, startConsole } from './lib/berth.js';
import { open, takePicture } from './lib/picture.js';
import { bench, type Scope } from './lib/scope.js';

const WAIT_MS = 60_000;
/** Time until the last action is visible; less than the four seconds for which pointers' names are shown. */
const SETTLE_MS = 1500;
/** After it, the game's boats have not yet reached the shore. */
const PRESS_MS = 200;

await bench('Pictures for the README', async scope => {
  const service = await startBerth(scope, { games: true });
  const browser = await openBrowser(scope);
  await twoPeople(scope, service, browser);
  await theBar(service, browser);
  await aConsole(scope, service, browser);
});

/** The watch party of the examples: Ada has control, Bob points. */
async function twoPeople(scope: Scope, service: Service, browser: Browser): Promise<void> {
  const url = await startWatchParty(scope, service);
  const join = async (name: string) => {
    const page = await open(browser, url, { viewport: { width: 720, height: 588 } });
    await page.getByPlaceholder('Your name').fill(name);
    await page.getByRole('button', { name: 'Join' }).click();
    await pictureIn(page, '#computer');
    return page;
  };
  const ada = await join('Ada');
  const id = (await service.api('GET', '/v0/vm')).body.results[0].id as string;
  await showWeekend(service, id);
  const bob = await join('Bob');
  await ada.getByRole('button', { name: 'Take control' }).click();
  await bob.locator('.controls').waitFor();
  await write(ada, '#computer', 'Bob brings the charts.');
  await point(bob, '#computer', 590, 520);
  await sleep(SETTLE_MS);
  await takePicture(browser, 'two-people', [{ page: ada }, { page: bob }]);
  await service.api('DELETE', `/v0/vm/${id}`);
}

/** The player's page with its bar, and another viewer's pointer. */
async function theBar(service: Service, browser: Browser): Promise<void> {
  const fields = { default_roles: ['control', 'cursor_data', 'resize'] };
  const { session_id: id, embed_url: url } = (await service.api('POST', '/v0/vm', fields)).body;
  const [ada, bob] = [await play(browser, `${url}#cursors=show`), await play(browser, url)];
  await showWeekend(service, id);
  await write(ada, '#session', 'Bob brings the charts. Meet at eight by the old crane.');
  await openBar(ada);
  await point(bob, '#session', 590, 520);
  await sleep(SETTLE_MS);
  await takePicture(browser, 'session', [{ page: ada }]);
  await service.api('DELETE', `/v0/vm/${id}`);
}

/** A game for two: one at a keyboard, one with the pad on a phone's screen. */
async function aConsole(scope: Scope, service: Service, browser: Browser): Promise<void> {
  const fields = { type: 'nes', room_url: `${await serveCards(scope)}/tennis.nes`, width: 960, height: 720 };
  const session = await startConsole(service, fields);
  const ada = await play(browser, session.url, { viewport: { width: 880, height: 660 } });
  const phone = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
  const bob = await play(browser, session.url, phone);
  await bob.getByRole('button', { name: 'Join the game', includeHidden: true }).dispatchEvent('click');
  await ada.getByRole('button', { name: 'Player 1', includeHidden: true }).waitFor({ state: 'attached' });
  await bob.locator('.pad:not([hidden])').waitFor();
  await openBar(ada);
  // It is shown at first, over the pad.
  await bob.locator('.bar:not(.open)').waitFor();
  await sleep(SETTLE_MS);
  await ada.keyboard.down('ArrowUp');
  await (await Fingers.on(bob)).down(1, await placeOn(bob.locator('.part.cross'), 0.5, 0.85));
  await sleep(PRESS_MS);
  await takePicture(browser, 'console', [{ page: ada }, { page: bob, frame: 'phone', scale: 0.8 }]);
  await service.api('DELETE', `/v0/vm/${session.id}`);
}

async function startWatchParty(scope: Scope, service: Service): Promise<string> {
  const PORT = String(await freePort());
  const env = { ...process.env, BERTH_URL: service.url, BERTH_API_KEY: service.apiKey, PORT, START_URL: 'about:blank' };
  const example = spawn(process.execPath, ['examples/watch-party/server.js'], { env, stdio: 'inherit' });
  scope.teardown(() => example.kill());
  const url = `http://localhost:${PORT}/`;
  await until('the example answers', async () => (await fetch(url).catch(() => null))?.ok);
  return url;
}

/** Opens the player's page; resolves when it shows the session. */
async function play(browser: Browser, url: string, options = {}): Promise<Page> {
  const page = await open(browser, url, { viewport: { width: 1280, height: 720 }, ...options });
  await pictureIn(page, '#session');
  return page;
}

async function pictureIn(page: Page, element: string): Promise<void> {
  await page.locator(`${element} .status:not(.shown)`).waitFor({ state: 'attached', timeout: WAIT_MS });
}

/** Makes a session show the page of these pictures, served from its own container. */
async function showWeekend(service: Service, id: string): Promise<void> {
  const page = await readFile(new URL('pages/weekend.html', import.meta.url), 'utf8');
  await serveIn(containerOf(service, id), page, 8000);
  const tabs = (body: unknown, method: string) => service.api('POST', `/s/${id}/tabs.${method}`, body);
  const [tab] = await until('there is a tab', async () => (await tabs([{ active: true }], 'query')).body);
  await tabs([tab.id, { url: 'http://localhost:8000/' }], 'update');
  const title = async () => (await tabs([{ active: true }], 'query')).body[0]?.title;
  await until('the page is shown', async () => (await title()) === 'Weekend on the water', WAIT_MS);
}

/** Ticks two boxes of the page, and writes into its notes. */
async function write(page: Page, element: string, text: string): Promise<void> {
  for (const y of [300, 350]) await click(page, element, 790, y);
  await click(page, element, 900, 600);
  await page.keyboard.type(text, { delay: 20 });
}

/** Clicks at a position of the session's display, in its pixels. */
async function click(page: Page, element: string, x: number, y: number): Promise<void> {
  await point(page, element, x, y);
  await page.mouse.down();
  await page.mouse.up();
}

async function point(page: Page, element: string, x: number, y: number): Promise<void> {
  const place = await placeOn(page.locator(element), x / 1280, y / 720);
  await page.mouse.move(place.x, place.y, { steps: 5 });
}
