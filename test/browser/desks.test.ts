// tags: containers, slow
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encode } from 'fast-png';
import t from 'tap';
import { serveCards } from '../fixtures/consoles/cards.js';
import { colourOf, type Colour } from '../fixtures/consoles/hue.js';
import type { DeskBrowser } from '../fixtures/desks/browser.js';
import { Desk } from '../fixtures/desks/desk.js';
import { Firefox } from '../fixtures/desks/firefox.js';
import { TONE_HZ, ToldPage } from '../fixtures/desks/told-page.js';
import { WebKit } from '../fixtures/desks/webkit.js';
import type { HyperbeamEmbed } from '@hyperbeam/web';
import { documentedPolicy, hostedPolicy } from '../fixtures/pages/documented-policy.js';
import { HOSTED_CLIENT } from '../fixtures/pages/hosted-page.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';
import { PAGE_HOST } from '../fixtures/viewers/browser.js';

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const game = `${await serveCards(t)}/card.nes`;

/** An integrator's pages, at an origin of their own. */
const pages = new Map<string, { type: string; body: string; policy?: string }>();
const site = createServer(({ url = '/' }, response) => {
  const { type = 'text/plain', body = '', policy } = pages.get(url) ?? {};
  if (policy !== undefined) response.setHeader('content-security-policy', policy);
  response.setHeader('content-type', `${type}; charset=utf-8`).end(body);
});
await once(site.listen(0, '127.0.0.1'), 'listening');
t.teardown(() => void site.close().closeAllConnections());
const siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

/** What an application with the hosted service's client keeps. */
interface Application {
  hb: HyperbeamEmbed;
  /** Why its session was over. */
  told: string[];
}

/** The words over the picture, and all notices. */
const words = (browser: DeskBrowser) =>
  browser.evaluate(() => {
    const root = document.getElementById('session')?.shadowRoot;
    const all = [root?.querySelector('.status.shown'), ...document.querySelectorAll('.notice')];
    return all.map(element => element?.textContent ?? '').join('');
  });

/** Where the button is that copies; null while it is not shown. */
function placeOfCopy(): { x: number; y: number } | null {
  const button = document.getElementById('session')?.shadowRoot?.querySelector('.asks button:last-child:not([hidden])');
  const { left, top } = button?.getBoundingClientRect() ?? new DOMRect();
  return button ? { x: Math.round(left + 9), y: Math.round(top + 9) } : null;
}

/** Where the button is that pastes; null while the bar is not where it stays. */
function placeOfPaste(): { x: number; y: number } | null {
  const button = document.querySelector('button[title="Paste"]');
  if (document.getAnimations().length > 0) return null;
  const { left, top, width, height } = button?.getBoundingClientRect() ?? new DOMRect();
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  return document.elementFromPoint(x, y)?.closest('button') === button ? { x, y } : null;
}

for (const Browser of [Firefox, WebKit]) {
  t.test(Browser.name, async t => {
    const desk = await Desk.start(t);
    const browser = await Browser.start(desk);
    t.comment(`${browser.name} ${browser.version}`);
    const page = await ToldPage.start(service);
    const shows = (number: number) =>
      until(`the screen shows ${number}`, async () => (await desk.number()) === number, 20_000);
    let drawn = 1;
    /** The session's page draws something else, which comes to the screen. */
    const redraws = async () => {
      await desk.press('F8');
      await shows(++drawn);
    };
    /** Waits for a notice, which covers the picture, and closes it. */
    const isTold = async (notice: RegExp) => {
      await until(`${notice} is told`, async () => notice.test(await words(browser)));
      await browser.evaluate(() => document.querySelector<HTMLElement>('.notice button')?.click());
    };
    /** Empties the text area, when the browser has given the keyboard to where was clicked. */
    const empty = () =>
      until('the text area is empty', async () => {
        await desk.press('ctrl+a', 'Delete');
        return page.hasText('', 3000).then(
          () => true,
          () => false,
        );
      });

    await t.test('the picture fills the page', async t => {
      await browser.open(page.url);
      await shows(1);
      t.equal(await words(browser), '', 'nothing is said over it');
    });

    await t.test('mouse and wheel', async t => {
      await desk.mouse('mousemove 300 300');
      await page.tells('the mouse', ({ at }) => String(at) === '300,300');
      for (const button of [1, 2, 3]) await desk.click(400, 300, button);
      await page.tells('three buttons', ({ buttons }) => buttons.join() === '0,1,2');
      await desk.press('Escape');
      await desk.mouse('click 5 click 5');
      await page.tells('two notches', ({ scroll }) => scroll === 240);
      await desk.mouse('click 4 click 4');
      await page.tells('two notches back', ({ scroll }) => scroll === 0);
      t.pass('a notch is 120 pixels');
    });

    await t.test('keys, with their modifiers and places', async t => {
      await desk.click(100, 100);
      await desk.press('a', 'shift+b', 'Left', 'ctrl+F2');
      await page.hasText('aB');
      await page.tells('the keys', ({ keys }) =>
        keys.join().endsWith('B KeyB shift,ArrowLeft ArrowLeft,Control ControlLeft ctrl,F2 F2 ctrl'),
      );
      t.pass('of an American keyboard');
    });

    await t.test('the keyboard leads out of the picture, and back', async t => {
      await empty();
      const focused = () => browser.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
      let at = '';
      await until(
        () => `the bar has the focus, which is on "${at}"`,
        async () => {
          await desk.press('ctrl+alt+shift');
          return until('it has', async () => (at = await focused()) === 'Mute', 3000).catch(() => false);
        },
      );
      await desk.press('Right', 'Escape', 'z');
      await page.hasText('z');
      t.not(await focused(), 'Mute');
    });

    await t.test('keyboards of other countries', async t => {
      const [two, q, a, semicolon, minus] = ['11', '24', '38', '47', '20'];
      const typed = [
        ['fr', [two, `shift+${two}`, q], 'é2a', 'a KeyQ'],
        ['de', [minus, `ISO_Level3_Shift+${q}`, semicolon], 'ß@ö', 'ö Semicolon'],
        ['ru', [semicolon, `shift+${semicolon}`, q], 'жЖй', 'й KeyQ'],
        ['gr', [a, `shift+${a}`], 'αΑ', 'Α KeyA shift'],
        ['il', [a], 'ש', 'ש KeyA'],
      ] as const;
      for (const [layout, keys, text, last] of typed) {
        await empty();
        await desk.keyboard(layout);
        await desk.press(...keys);
        await page.hasText(text);
        await page.tells(last, ({ keys }) => keys.at(-1) === last);
        await desk.keyboard('us');
        t.pass(`${layout}: ${text}`);
      }
    });

    await t.test('what an input method composes', async t => {
      await empty();
      await desk.keyboard('us(intl)');
      await desk.press('dead_acute', 'e');
      await page.hasText('é');
      t.pass('a dead key');
      await desk.keyboard('us');
      await desk.press('ctrl+shift+u', '4', '1', '6');
      t.equal((await page.told()).text, 'é', 'nothing before it is finished');
      await desk.press('space', 'x');
      await page.hasText('éЖx');
      t.pass('a character by its number');
    });

    await t.test('sound', async () => {
      await desk.press('F9');
      await until('the tone is heard', async () => (await desk.hears(TONE_HZ)) > 0.5);
      await desk.press('F9');
      await until('silence', async () => (await desk.hears(TONE_HZ)) < 0.1);
    });

    await t.test('the clipboard, to the session and back', async t => {
      await empty();
      await desk.copy('from the desk: é ж 漢');
      await desk.press('ctrl+v');
      await page.hasText('from the desk: é ж 漢');
      t.pass('text is pasted');
      await empty();
      await desk.press('x', 'y', 'ctrl+a', 'ctrl+c');
      await until('text is copied', async () => (await desk.clipboard()) === 'xy');
      await desk.press('z', 'ctrl+v');
      await page.hasText('zxy');
      t.pass('text is copied, and pasted again');
      await empty();
      await desk.copy('<i>slanted</i>', 'text/html');
      await desk.press('ctrl+v');
      await page.tells('HTML', ({ paste }) => /^<i\b.*>slanted<\/i>/.test(paste));
      t.pass('HTML is pasted');
      await empty();
      await desk.press('h', 't', 'm', 'l', 'ctrl+a', 'ctrl+c');
      await until('HTML is copied', async () => /<b.*>bold<\/b>/.test(await desk.clipboard('text/html')));
      t.equal(await desk.clipboard(), 'bold', 'with its text');
      await desk.copy(encode({ width: 16, height: 9, data: new Uint8Array(16 * 9 * 4).fill(255) }), 'image/png');
      await desk.press('ctrl+v');
      await page.tells('a picture', ({ paste }) => paste === '16 x 9');
      t.pass('a picture is pasted');
      t.equal(await words(browser), '');
    });

    await t.test('the button pastes, when the browser was told that it may', async () => {
      await desk.copy('by the button');
      await empty();
      await desk.mouse('mousemove 320 395');
      const at = await until('the bar is there', () => browser.evaluate(placeOfPaste));
      await desk.click(at.x, at.y);
      await browser.allowPaste(at);
      await page.hasText('by the button');
      // The question of WebKitGTK keeps the keyboard.
      await desk.click(100, 100);
    });

    await t.test('files that are dropped', async t => {
      await browser.evaluate(() => {
        const { dataset } = document.body;
        addEventListener('dragover', () => (dataset['drags'] = `${dataset['drags'] ?? ''}.`));
      });
      // A file manager asks again when it was answered: by the third time it knows the answer to the first.
      const isSeen = () => browser.evaluate(() => (document.body.dataset['drags'] ?? '').length > 2);
      await desk.dropFiles({ 'ä.txt': 'one', 'b.txt': 'two' }, 400, 250, isSeen);
      if (browser.givesFiles) await page.tells('the files', ({ drop }) => drop.join() === 'ä.txt: one,b.txt: two');
      else await isTold(/does not give web pages the files/);
      t.equal(await browser.evaluate(() => location.href), page.url, 'the player stays');
      await redraws();
    });

    await t.test('the service is killed: the viewer is back by itself', async () => {
      await service.kill9();
      await until('it is said', async () => /Reconnecting/.test(await words(browser)));
      await service.restart();
      await until('nothing is said any more', async () => (await words(browser)) === '');
      await redraws();
    });

    await t.test('a page of another origin frames the player', async () => {
      const frame = `<iframe src="${page.url}" allow="autoplay; clipboard-read; clipboard-write" style="position: fixed; inset: 0; width: 640px; height: 400px; border: 0">`;
      pages.set('/frame', { type: 'text/html', body: `<!doctype html>${frame}</iframe>` });
      await browser.open(`${siteOrigin}/frame`);
      await shows(drawn);
      await desk.click(100, 100);
      await empty();
      await desk.press('f');
      await page.hasText('f');
      await redraws();
      await desk.press('F9');
      await until('the tone is heard', async () => (await desk.hears(TONE_HZ)) > 0.5);
      await desk.press('F9', 'ctrl+a', 'ctrl+c');
      await until('text is copied', async () => (await desk.clipboard()) === 'f');
      await desk.copy('framed');
      await desk.press('ctrl+v');
      await page.hasText('framed');
    });

    await t.test('a page with a strict policy has the SDK', async t => {
      const origin = new URL(page.url).origin;
      const policy = (await documentedPolicy(origin)).replace('script-src', `script-src 'self'`);
      pages.set('/mount.js', {
        type: 'text/javascript',
        body: `
          globalThis.violations = [];
          addEventListener('securitypolicyviolation', event => violations.push(event.violatedDirective + ' ' + event.blockedURI));
          const { default: Berth } = await import('${origin}/sdk.js');
          const session = document.getElementById('session');
          Object.assign(session.style, { position: 'fixed', inset: '0' });
          await Berth(session, '${page.url}', { timeout: 60000 });`,
      });
      const body =
        '<!doctype html><link rel="icon" href="data:,"><div id="session"></div><script type="module" src="/mount.js"></script>';
      pages.set('/strict', { type: 'text/html', body, policy: `default-src 'none'; ${policy}` });
      await browser.open(`${siteOrigin}/strict`);
      await shows(drawn);
      await desk.click(100, 100);
      await empty();
      await desk.press('s', 'F9');
      await page.hasText('s');
      await until('the tone is heard', async () => (await desk.hears(TONE_HZ)) > 0.5);
      await desk.press('F9');
      t.same(await browser.evaluate(() => (globalThis as unknown as { violations: string[] }).violations), []);
    });

    await t.test("the hosted service's client, under its policy", async t => {
      pages.set('/client.js', { type: 'text/javascript', body: await readFile(HOSTED_CLIENT, 'utf8') });
      pages.set('/application.js', {
        type: 'text/javascript',
        body: `
          globalThis.told = [];
          import load from '/client.js';
          const session = document.getElementById('session');
          Object.assign(session.style, { position: 'fixed', inset: '0' });
          globalThis.hb = await load(session, '${page.url}', {
            timeout: 60000, adminToken: '${page.adminToken}', onDisconnect: ({ type }) => told.push(type),
          });`,
      });
      const body =
        '<!doctype html><link rel="icon" href="data:,"><div id="session"></div><script type="module" src="/application.js"></script>';
      const policy = `default-src 'none'; img-src data:; ${await hostedPolicy(new URL(page.url).origin)}`;
      pages.set('/application', { type: 'text/html', body, policy });
      await browser.open(`${siteOrigin}/application`);
      await shows(drawn);
      await desk.click(100, 100);
      await empty();
      await desk.press('h', 'F9');
      await page.hasText('h');
      await until('the tone is heard', async () => (await desk.hears(TONE_HZ)) > 0.5);
      await browser.evaluate(() => void ((globalThis as unknown as Application).hb.volume = 0));
      await until('there is silence', async () => (await desk.hears(TONE_HZ)) < 0.1);
      await desk.press('F9');
      await browser.evaluate(() => {
        const { hb } = globalThis as unknown as Application;
        for (const type of ['keydown', 'keyup'] as const) hb.sendEvent({ type, key: 'b' });
      });
      await page.hasText('hb');
      const answers = await browser.evaluate(async () => {
        const { hb } = globalThis as unknown as Application;
        return [
          (await hb.tabs.query({ active: true })).length,
          await hb.setPermissions(hb.userId, { priority: 1, idle_timeout: 0, control_disabled: false }),
        ];
      });
      t.same(answers, [1, true]);
      t.same(await browser.evaluate(() => (globalThis as unknown as Application).told), []);
    });

    await t.test('a page without https', async () => {
      const address = new URL(page.url);
      address.hostname = PAGE_HOST.plain;
      await browser.open(address.href);
      await isTold(/is not encrypted/);
      await shows(drawn);
      await desk.click(100, 100);
      await empty();
      await desk.press('p', 'F9');
      await page.hasText('p');
      await redraws();
      await until('the tone is heard', async () => (await desk.hears(TONE_HZ)) > 0.5);
      await desk.press('F9', 'ctrl+a', 'ctrl+c');
      // Where the keys do not count as leave to copy, a button is shown.
      await until('text is copied', async () => {
        const button = await browser.evaluate(placeOfCopy);
        if (button !== null) await desk.click(button.x, button.y);
        return (await desk.clipboard()) === 'p';
      });
      await desk.copy('plain');
      await desk.press('ctrl+v');
      await page.hasText('plain');
    });

    await t.test('a console', async () => {
      const isNow = (colour: Colour) =>
        until(`the screen is ${colour}`, async () => colourOf(await desk.color(320, 200)) === colour);
      const fields = { type: 'nes', room_url: game, width: 640, height: 400 };
      const { body } = await service.api('POST', '/console', fields);
      await browser.open(body.embed_url);
      await isNow('blue');
      await desk.click(320, 200);
      await desk.mouse('keydown x');
      await isNow('red');
      await desk.mouse('keyup x');
      await isNow('blue');
      await service.api('DELETE', `/v0/vm/${body.session_id}`);
    });
    await browser.open('about:blank');
    await page.end();
  });
}
