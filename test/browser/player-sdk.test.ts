// tags: containers
import t from 'tap';
import type { Page } from 'playwright-core';
import type { BerthOptions, mount as Mount } from '../../src/web/sdk/index.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { embed, embeddingPage, told, type Embedding } from '../fixtures/pages/embedding-page.js';
import { until } from '../fixtures/until.js';

const browser = await openBrowser(t);

declare const embedding: Embedding;
const states = (page: Page) => page.evaluate(() => embedding.told.filter(([name]) => name === 'state'));

t.test('a page embeds a session, controls it and removes it', async t => {
  const [session, page] = await embed(t, browser);
  const options = { adminToken: 'admin', webhookUserdata: { name: 'Ada' }, volume: 0, videoPaused: false };
  t.equal(await page.evaluate(options => embedding.mount(options), options), 'mounted');
  t.match(session.control[0], { admin_token: 'admin', userdata: { name: 'Ada' }, audio: false, video: true });
  await session.play('wide', 3);
  await until('the state is told', async () => (await states(page)).length === 2);
  t.same(await states(page), [
    ['state', { state: 'connecting' }],
    ['state', { state: 'playing' }],
  ]);

  await until('a ping is answered', () => page.evaluate(() => embedding.session.rtt !== null));
  const members = await page.evaluate(() => {
    const { userId, width, height, maxArea, volume, videoPaused, adminToken, rtt } = embedding.session;
    return { userId, width, height, maxArea, volume, videoPaused, adminToken, rtt };
  });
  t.match(members, {
    userId: 'u1',
    width: 640,
    height: 360,
    maxArea: 2073600,
    volume: 0,
    videoPaused: false,
    adminToken: 'admin',
  });
  const { rtt } = members;
  t.ok(rtt !== null && rtt >= 0 && rtt < 2000, `${rtt} ms`);

  await page.evaluate(() => {
    embedding.session.sendEvent({ type: 'mousedown', x: 0.25, y: 1 });
    embedding.session.ping();
    embedding.session.resize(800, 600);
    embedding.session.videoPaused = true;
  });
  await until('all of it came', () => session.control.some(({ type }) => type === 'media'));
  t.same(session.control.slice(1), [
    { type: 'keepAlive' },
    { type: 'resize', width: 800, height: 600 },
    { type: 'media', video: false },
  ]);
  t.match(
    session.received.find(({ is }) => is === 'input'),
    { event: { type: 'button', button: 0, down: true, y: 1 } },
  );

  await page.evaluate(() => embedding.session.destroy());
  await until('the viewer is gone', () => session.sockets.size === 0);
  t.equal(await page.evaluate(() => document.querySelector('#here')?.shadowRoot?.childElementCount), 0);
  t.equal(await page.evaluate(() => embedding.mount()), 'mounted', 'the container can be used again');
});

t.test('reconnect() opens a new connection at once, and the session continues', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount());
  await session.shown(await session.play('wide', 3));
  const joins = () => session.control.filter(({ type }) => type === 'join').length;
  await page.evaluate(() => embedding.session.reconnect());
  await until('the page joins again', () => joins() === 2);
  await until('the connection before is left', () => session.sockets.size === 1);
  await session.shown(await session.play('wide', 3));
  await until('it plays again', async () => (await states(page)).length === 4);
  t.same(
    (await states(page)).map(([, event]) => (event as { state: string }).state),
    ['connecting', 'playing', 'reconnecting', 'playing'],
  );
  t.same(await page.evaluate(() => embedding.told.filter(([name]) => name === 'disconnect')), [], 'nothing has ended');
});

t.test('a page of another origin can embed it too, with picture and sound', async t => {
  const [session, page] = await embed(t, browser);
  const service = new URL(session.embedUrl('secure'));
  session.pages.set('/elsewhere', embeddingPage(`${service.origin}/assets/sdk.js`));
  await page.goto(`http://127.0.0.1:${service.port}/elsewhere`);
  await page.waitForFunction(() => 'mount' in window);
  t.equal(await page.evaluate(url => embedding.mount({}, url), service.href), 'mounted');
  await session.shown(await session.play('wide', 3));
  await session.playTone();
  await until('its sound plays by the worklet', () => session.requested.includes('/assets/audio-worklet.js'));
  session.status = 409;
  t.match(await page.evaluate(url => embedding.mount({}, url), service.href), /^SessionTerminatedError/);
});

t.test('a display that would be too large is a RangeError', async t => {
  const [, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount());
  const error = (width: number, height: number) =>
    page.evaluate(
      ([width, height]) => {
        try {
          embedding.session.resize(width, height);
          return '';
        } catch (error) {
          return (error as Error).name;
        }
      },
      [width, height] as const,
    );
  t.equal(await error(4000, 4000), 'RangeError');
  t.equal(await error(10, 10), 'TypeError');
  t.equal(await error(1920, 1080), '');
});

t.test('mounting fails with an error that says why, and leaves nothing behind', async t => {
  const [session, page] = await embed(t, browser);
  const mount = (options?: BerthOptions, url?: unknown) =>
    page.evaluate(([o, u]) => embedding.mount(o, u), [options, url] as const);
  t.match(await mount({ volume: 7 }), /^TypeError: volume must/);
  t.match(await mount({}, 'ftp://elsewhere'), /^TypeError: embedURL must/);
  t.equal(await mount(), 'mounted');
  await page.evaluate(() => Object.assign(window, { former: embedding.session }));
  t.equal(await mount(), 'mounted');
  await until('the session that the container showed before is left', () => session.sockets.size === 1);
  await page.evaluate(() => (window as unknown as { former: { destroy(): void } }).former.destroy());
  t.not(
    await page.evaluate(() => document.querySelector('#here')?.shadowRoot?.childElementCount),
    0,
    'it cannot empty the container any more',
  );
  await page.evaluate(() => embedding.session.destroy());
  session.answering = false;
  t.match(await mount({ timeout: 300 }), /^TimedOutError: .*300 ms/);
  await until('the viewer is gone', () => session.sockets.size === 0);
  session.status = 409;
  t.match(await mount(), /^SessionTerminatedError: This session has ended/);
  session.status = 401;
  t.match(await mount(), /^SessionTerminatedError: You are not allowed/);
  t.equal(await page.evaluate(() => document.querySelector('#here')?.shadowRoot?.childElementCount), 0);
});

t.test('keys go to the session, but a text field of the page keeps its own', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount());
  await session.play('wide', 3);
  await until('the picture is there', () => session.received.some(({ is }) => is === 'ack'));
  const keys = () => session.received.filter(message => message.is === 'input' && message.event.type === 'key').length;
  await page.locator('#own').fill('');
  await page.keyboard.type('mine');
  t.equal(await page.locator('#own').inputValue(), 'mine');
  t.equal(keys(), 0);
  await page.locator('#own').blur();
  await page.keyboard.press('y');
  await until('the key came', () => keys() === 2);
});

t.test('with disableInput nothing is sent', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount({ disableInput: true }));
  await session.shown(await session.play('wide', 3));
  await page.mouse.click(300, 200);
  await page.keyboard.press('y');
  await session.shown(await session.play('wide', 3));
  t.notOk(session.received.some(({ is }) => is === 'input'));
});

t.test('the page is told of a session’s end and its reason', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount());
  const closeDate = new Date(Date.now() + 9000).toISOString();
  session.send({ type: 'warning', timeout: 'absolute', delay_ms: 9000, close_date: closeDate });
  session.send({ type: 'end', reason: 'absolute' });
  await told(page, 'disconnect');
  t.same(await page.evaluate(() => embedding.told.filter(([name]) => name !== 'access').slice(1)), [
    ['warning', { type: 'absolute', deadline: { delay: 9000, closeDate } }],
    ['state', { state: 'failed' }],
    ['disconnect', { type: 'absolute' }],
  ]);
});

t.test('the page is told what went wrong with an Android device', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount());
  session.send({ type: 'end', reason: 'crashed', message: 'The device was lost for 120 s.', code: 'adb_unreachable' });
  t.same(await told(page, 'disconnect'), [{ type: 'crashed', code: 'adb_unreachable' }]);
});

t.test('a session is shown before it can be joined, and says its kind once it is', async t => {
  const [session, page] = await embed(t, browser);
  session.kind = 'snes';
  const seen = await page.evaluate(async sdk => {
    const { mount } = (await import(sdk)) as { mount: typeof Mount };
    const here = document.getElementById('here') as HTMLElement;
    const { joined } = mount(here, '/s/recording?token=secret');
    return [here.shadowRoot?.querySelector('.status')?.textContent, (await joined).kind];
  }, '/assets/sdk.js');
  t.same(seen, ['Connecting…', 'snes']);
});

t.test('a page moves the focus, sets the clipboard and finds places on the display', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount());
  const seen = await page.evaluate(() => {
    const { session } = embedding;
    session.focus();
    const focused = session.isFocused;
    session.blur();
    session.showCursors = true;
    session.setClipboard('Ada');
    const { left, top, width, height } = (document.getElementById('here') as HTMLElement).getBoundingClientRect();
    const middle = session.pointOf({ clientX: left + width / 2, clientY: top + height / 2 });
    const outside = session.pointOf({ clientX: left - 1, clientY: top });
    return { focused, blurred: !session.isFocused, shown: session.showCursors, middle, outside };
  });
  t.match(seen, {
    focused: true,
    blurred: true,
    shown: true,
    middle: { inside: true },
    outside: { x: 0, inside: false },
  });
  t.ok(Math.abs(seen.middle.x - 0.5) < 0.01 && Math.abs(seen.middle.y - 0.5) < 0.01, JSON.stringify(seen.middle));
  await until('the clipboard is set', () => session.received.some(({ is }) => is === 'clipboard'));
});

t.test('a page answers file choosers, offers downloads and shows notices itself', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => {
    const tell = (name: string) => (event: unknown) => void embedding.told.push([name, event]);
    return embedding.mount({
      onFileChooser: tell('chooser'),
      onDownload: tell('download'),
      onNotice: tell('notice'),
    });
  });
  t.match(session.control[0], { files: true });
  session.send({ type: 'file_chooser', open: true, multiple: true, accept: 'image/*' });
  session.send({ type: 'download', id: 'd1', name: 'a.pdf', size: 5 });
  session.send({ type: 'refused', code: 'clipboard_too_large', message: 'Too large.' });
  t.same(await told(page, 'notice'), ['Too large.']);
  t.same(await told(page, 'download'), [{ id: 'd1', name: 'a.pdf', size: 5 }]);
  t.same(await told(page, 'chooser'), [null, { multiple: true, directory: false, accept: 'image/*' }]);
  session.results['files.choose'] = { value: null };
  await page.evaluate(() => embedding.session.files.choose(['u1']));
  t.match(session.control.at(-1), { type: 'call', method: 'files.choose', args: [['u1']] });
});

t.test('a page is told of dialogs, and answers them', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount({ onDialogs: dialogs => void embedding.told.push(['dialogs', dialogs]) }));
  const prompt = { id: 'd1', type: 'prompt', tab_id: 3, origin: 'https://example.com', message: 'Who?' } as const;
  session.send({ type: 'dialogs', dialogs: [{ ...prompt, default_value: 'nobody' }] });
  await until('they are told', async () => (await told(page, 'dialogs')).length === 2);
  const expected = { id: 'd1', type: 'prompt', tabId: 3, origin: 'https://example.com', message: 'Who?' };
  t.same(await told(page, 'dialogs'), [[], [{ ...expected, defaultValue: 'nobody' }]]);
  session.results['dialogs.accept'] = { value: {} };
  await page.evaluate(() => embedding.session.dialogs.accept('d1', { text: 'Ada' }));
  t.match(session.control.at(-1), { type: 'call', method: 'dialogs.accept', args: ['d1', { text: 'Ada' }] });
});
