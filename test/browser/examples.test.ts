// tags: containers, slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { decode } from 'fast-png';
import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { HOSTED_CLIENT } from '../fixtures/pages/hosted-page.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { freePort } from '../fixtures/networks/free-port.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';

/** A page whose title counts the keys that are pressed in it, however long they are held; it is red as soon as it does. */
const START_URL = `data:text/html,${encodeURIComponent(`<title>Welcome</title><body style="color: #fff"><h1>Welcome</h1><script>
  let keys = 0;
  addEventListener('keydown', ({ repeat }) => repeat || (document.title = ++keys + ' keys'));
  document.title = '0 keys';
  document.body.style.background = '#e01010';
</script>`)}`;
const START_TIMEOUT_MS = 60_000;

const service = await startService(t);
const browser = await openBrowser(t, { webgl: true });

/** Starts an example against the service; answers its address. */
async function startExample(t: Test, name: string, env: Record<string, string> = {}): Promise<string> {
  const port = await freePort();
  const settings = { BERTH_URL: service.url, BERTH_API_KEY: service.apiKey, PORT: String(port), START_URL, ...env };
  const child = spawn(process.execPath, [`examples/${name}/server.js`], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill()) await ended;
    const { body } = await service.api('GET', '/v0/vm');
    await Promise.all(body.results.map(({ id }: { id: string }) => service.api('DELETE', `/v0/vm/${id}`)));
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  return until(`${name} listens: ${log}`, () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${log}`);
    return /Open (http:\S+)/.exec(log)?.[1];
  });
}

/** Whose client the pages of examples load as `/sdk.js`. */
const CLIENTS = ['the SDK', "the hosted service's client"] as const;
type Client = (typeof CLIENTS)[number];

async function open(t: Test, url: string, client: Client = 'the SDK'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 } });
  t.teardown(() => context.close());
  if (client !== 'the SDK') await context.route('**/sdk.js', route => route.fulfill({ path: HOSTED_CLIENT }));
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Title of the page that the only session shows, from its own address. */
async function title(): Promise<string> {
  const id = (await service.api('GET', '/v0/vm')).body.results[0]?.id as string | undefined;
  const { body } = await service.api('POST', `/s/${id}/tabs.query`, [{ active: true }]);
  return body[0]?.title ?? '';
}

/** Whether the picture is there: the status over it is gone. */
const picture = (page: Page) =>
  until(
    'the picture is there',
    () =>
      page.evaluate(() => {
        const root = document.querySelector('#computer')?.shadowRoot;
        return root?.querySelector('.status')?.className === 'status' && root.querySelector('.stage canvas') !== null;
      }),
    START_TIMEOUT_MS,
  );

/** Colour at a place of a screenshot. */
async function colourAt(page: Page, x: number, y: number): Promise<number[]> {
  const { data, width, channels } = decode(await page.screenshot());
  return [...data.slice((y * width + x) * channels, (y * width + x) * channels + 3)];
}

const isRed = ([red = 0, green = 255, blue = 255]: number[]) => red > 120 && green < 60 && blue < 60;

const [SDK, HOSTED] = CLIENTS;

t.test('watch-party: one has control, passes it on, and loses it by leaving, whichever client they have', async t => {
  const url = await startExample(t, 'watch-party');
  const join = async (name: string, client: Client) => {
    const page = await open(t, url, client);
    await page.getByPlaceholder('Your name').fill(name);
    await page.getByRole('button', { name: 'Join' }).click();
    await picture(page);
    return page;
  };
  const ada = await join('Ada', SDK);
  await until('the page is loaded', async () => (await title()) === '0 keys', START_TIMEOUT_MS);
  const bob = await join('Bob', HOSTED);
  const type = async (page: Page) => {
    await page.locator('#computer').click({ position: { x: 300, y: 300 } });
    await page.keyboard.press('a');
  };
  await ada.getByRole('button', { name: 'Take control' }).click();
  await bob.getByText('Ada').and(bob.locator('.controls')).waitFor();
  await type(bob);
  await type(ada);
  await until('Ada’s key came', async () => (await title()) === '1 keys');
  t.pass('Bob’s did not');
  await ada.getByRole('button', { name: 'Pass control to Bob' }).click();
  await bob.locator('.controls').getByText('Bob (you)').waitFor();
  await type(ada);
  await type(bob);
  await until('Bob’s key came', async () => (await title()) === '2 keys');
  await bob.close();
  await ada.getByRole('button', { name: 'Take control' }).waitFor();
  t.pass('control is free again when its holder has left');
});

t.test('webhook-auth: the integrator’s server decides who joins, and who has control', async t => {
  const url = await startExample(t, 'webhook-auth');
  const enter = async (name: string, code: string, client: Client) => {
    const page = await open(t, url, client);
    await page.getByPlaceholder('Name').fill(name);
    await page.getByPlaceholder('Code').fill(code);
    await page.getByRole('button', { name: 'Come in' }).click();
    return page;
  };
  const presses = async (page: Page) => {
    await page.locator('#computer').click({ position: { x: 300, y: 300 } });
    await page.keyboard.press('a');
  };
  // Only the SDK tells pages what their user may do.
  const isTold = (page: Page, sentence: string) => page.getByText(sentence).waitFor({ timeout: START_TIMEOUT_MS });
  const ada = await enter('Ada', '1815', HOSTED);
  await picture(ada);
  await until('the page is loaded', async () => (await title()) === '0 keys', START_TIMEOUT_MS);
  await presses(ada);
  await until('Ada’s key came', async () => (await title()) === '1 keys');
  const again = await enter('Ada', '1815', SDK);
  await isTold(again, 'You have control.');
  await picture(again);
  await presses(again);
  await until('this key came, too', async () => (await title()) === '2 keys');
  const bob = await enter('Bob', '1234', SDK);
  await isTold(bob, 'You may watch.');
  await picture(bob);
  t.pass('Bob watches');
  for (const client of CLIENTS) {
    const eve = await enter('Ada', '0000', client);
    await eve.getByText('You may not come in.').waitFor();
  }
  t.pass('Eve stays outside');
});

t.test('event-log: the integrator’s server receives what happens, in order and signed', async t => {
  const page = await open(t, await startExample(t, 'event-log'));
  await page.getByRole('button', { name: 'Start' }).click();
  await picture(page);
  const names = async () => (await page.locator('#log li').allTextContents()).map(text => text.split(' ')[0]);
  await until('the user has joined', async () => (await names()).includes('user_joined'), START_TIMEOUT_MS);
  await page.getByRole('button', { name: 'End' }).click();
  await until('the session has ended', async () => (await names()).includes('ended'));
  t.same(
    (await names()).filter(name => name !== 'control_changed'),
    ['started', 'running', 'user_joined', 'user_left', 'ended'],
  );
});

for (const client of CLIENTS) {
  t.test(`webgl-texture with ${client}: the session is on the cube, and receives what is typed`, async t => {
    const page = await open(t, await startExample(t, 'webgl-texture'), client);
    const stage = await page.locator('#stage').boundingBox();
    const [x, y] = [
      Math.round((stage?.x ?? 0) + (stage?.width ?? 0) / 2),
      Math.round((stage?.y ?? 0) + (stage?.height ?? 0) / 2),
    ];
    await until('the cube shows the red page', async () => isRed(await colourAt(page, x, y)), START_TIMEOUT_MS);
    t.notOk(isRed(await colourAt(page, Math.round(stage?.x ?? 0) + 20, y)), 'beside the cube there is none of it');
    await page.keyboard.press('a');
    await until('the key came', async () => (await title()) === '1 keys');
  });
}

for (const client of CLIENTS) {
  t.test(`kiosk with ${client}: each visitor gets a fresh browser, which ends when the visitor has left`, async t => {
    const settings = { INACTIVE_SECONDS: '15', WARNING_SECONDS: '12' };
    const page = await open(t, await startExample(t, 'kiosk', settings), client);
    const start = page.getByRole('button', { name: 'Touch to start' });
    // Who is impatient gets one all the same.
    await start.dblclick();
    await picture(page);
    await until('the page fills the screen', async () => isRed(await colourAt(page, 5, 5)));
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'I’m still here' }).click({ timeout: START_TIMEOUT_MS });
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    t.equal((await service.api('GET', '/v0/vm')).body.results.length, 1, 'who is still here stays');
    await page.getByRole('alert').waitFor();
    await start.waitFor({ timeout: START_TIMEOUT_MS });
    t.equal((await service.api('GET', '/v0/vm')).body.results.length, 0, 'the session is over');
    await start.click();
    await picture(page);
    t.equal((await service.api('GET', '/v0/vm')).body.results.length, 1, 'the next visitor has another');
  });
}
