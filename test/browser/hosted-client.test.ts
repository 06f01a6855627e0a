// tags: containers
/** The hosted service's own web client, as it is on npm, shows sessions of the real service. */
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { hostedPage, hostedSite, type HostedPage, type HostedWindow } from '../fixtures/pages/hosted-page.js';
import { hash } from '../fixtures/pages/pixel-page.js';
import { startSession, type LiveSession } from '../fixtures/pages/pixel-session.js';
import { freePort } from '../fixtures/networks/free-port.js';
import { participantWebhook, say } from '../fixtures/services/participant-webhook.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';

const TONE_HZ = 1000;

/** Plays a tone, and shows what was typed, clicked and scrolled so far. */
const PAGE = `let done = '';
const add = text => show(hash(done += text));
onkeydown = e => { if (e.key.length === 1) add((e.ctrlKey ? '^' : '') + e.key); };
onmousedown = e => add('[' + e.button); onmouseup = e => add(']');
onwheel = e => add(e.deltaY > 0 ? 'v' : 'n');
const audio = new AudioContext(); const tone = new OscillatorNode(audio, { frequency: ${TONE_HZ} });
tone.connect(audio.destination); tone.start(); show(0);`;

const service = await startService(t);
const browser = await openBrowser(t);
const site = await hostedSite(t, browser, service.url, 'secure');
const end = (session: LiveSession) => service.api('DELETE', `/v0/vm/${session.id}`);
const shows = ({ picture }: HostedPage, done: string) => picture.shows(done === '' ? 0 : hash(done));
const usersOf = async (session: LiveSession) => (await service.api('GET', `/s/${session.id}/users`)).body;

for (const kind of ['secure', 'plain'] as const) {
  t.test(`picture, sound and keys on a ${kind} page, under the documented policy`, async t => {
    const session = await startSession(service, PAGE);
    const client = await hostedPage(await hostedSite(t, browser, service.url, kind), session.url);
    await shows(client, '');
    t.equal(await client.picture.picture(), kind === 'secure' ? 'canvas' : 'video');
    t.ok(await client.page.evaluate(() => document.getElementById('session')?.shadowRoot?.querySelector('#vid')));
    await until('the tone is heard', async () => Math.abs((await client.picture.sound()).frequency - TONE_HZ) < 50);
    await client.page.keyboard.press('a');
    await shows(client, 'a');
    t.same(await client.told('violation'), [], 'the policy allows all that the client and the module do');
    await end(session);
  });
}

t.test('what is set and sent: input, delegateKeyboard, disableInput, volume, videoPaused, playoutDelay', async t => {
  const session = await startSession(service, PAGE);
  const client = await hostedPage(site, session.url, { delegateKeyboard: false, videoPaused: true, volume: 0 });
  const other = await hostedPage(site, session.url);
  await shows(other, '');
  t.equal(await client.picture.number(), null, 'no picture while it is paused');
  t.equal((await client.picture.sound()).level, 0, 'no sound at volume 0');
  await client.run(hb => void ((hb.videoPaused = false), (hb.volume = 0.9)));
  await shows(client, '');
  await until('there is sound', async () => (await client.picture.sound()).level > 40);
  t.match(await client.run(hb => ({ width: hb.width, height: hb.height, maxArea: hb.maxArea })), {
    width: 640,
    height: 400,
    maxArea: 1280 * 720,
  });
  t.ok(await until('the round trip', () => client.run(hb => hb.rtt !== undefined && hb.rtt >= 0)));
  const users = await usersOf(session);
  t.ok(users.some(({ user_id }: { user_id: string }) => user_id.length > 0));
  t.ok(users.map((user: any) => user.user_id).includes(await client.run(hb => hb.userId)));

  await client.page.keyboard.press('x');
  await client.run(hb => void (hb.delegateKeyboard = true));
  await client.page.keyboard.press('a');
  await shows(client, 'a');
  t.pass('keys count from anywhere once they are delegated');
  await client.run(hb => void (hb.disableInput = true));
  await client.page.keyboard.press('x');
  await client.page.mouse.click(300, 300);
  await client.run(hb => void (hb.disableInput = false));
  await client.page.keyboard.press('b');
  await shows(client, 'ab');
  t.pass('nothing counts while input is disabled');

  await client.run(hb => {
    hb.sendEvent({ type: 'keydown', key: 'c', ctrlKey: true });
    hb.sendEvent({ type: 'keyup', key: 'c', ctrlKey: true });
    hb.sendEvent({ type: 'keydown', key: 'd' });
    hb.sendEvent({ type: 'keyup', key: 'd' });
    hb.sendEvent({ type: 'mousemove', x: 0.8, y: 0.8 });
    hb.sendEvent({ type: 'mousedown', x: 0.8, y: 0.8, button: 1 });
    hb.sendEvent({ type: 'mouseup', x: 0.8, y: 0.8, button: 1 });
  });
  await shows(client, 'ab^cd[1]');
  await client.run(hb => hb.sendEvent({ type: 'wheel', deltaY: 100 }));
  await shows(client, 'ab^cd[1]v');
  t.equal(
    await client.run(hb => {
      try {
        hb.sendEvent({ type: 'mousedown', x: 2, y: 0 });
        return 'sent';
      } catch (error) {
        return String(error);
      }
    }),
    'TypeError: x must be from 0 to 1',
  );

  await client.run(hb => void (hb.playoutDelay = true));
  await client.page.keyboard.press('e');
  await shows(other, 'ab^cd[1]ve');
  await shows(client, 'ab^cd[1]ve');
  t.equal(await client.run(hb => hb.playoutDelay), true);
  await client.run(hb => hb.ping());
  await client.run(hb => hb.destroy());
  await until('it has left', async () => (await usersOf(session)).length === 1);
  t.equal(await client.page.evaluate(() => document.getElementById('session')?.shadowRoot?.childElementCount), 0);
  await end(session);
});

t.test('what is called: tabs and their events, resize, permissions and roles', async t => {
  const session = await startSession(service, PAGE, { kiosk: false, width: 800, height: 600 });
  const client = await hostedPage(site, session.url);
  const errorOf = (call: (hb: any) => unknown) =>
    client.page.evaluate(async call => {
      try {
        return JSON.stringify(await (0, eval)(`(${call})`)((window as unknown as HostedWindow).hb));
      } catch (error) {
        return String(error);
      }
    }, String(call));
  t.equal(await errorOf(hb => hb.setPermissions(hb.userId, {})), 'Error: Admin token not set');
  await client.page.evaluate(token => {
    (window as unknown as HostedWindow).hb.adminToken = token;
  }, session.adminToken);
  t.same(
    await client.run(async hb => [
      await hb.setPermissions(hb.userId, { priority: 3, idle_timeout: 5, control_disabled: false }),
      await hb.addRoles([hb.userId], ['cursor_data'], undefined),
      await hb.removeRoles([hb.userId], ['resize'], false),
      await hb.resize(640, 480),
    ]),
    [true, true, true, true],
  );
  const [user] = await usersOf(session);
  t.match(user, { permissions: { priority: 3, idle_timeout: 5 } });
  t.ok(user.roles.includes('cursor_data') && !user.roles.includes('resize'));
  t.same(await client.run(hb => [hb.width, hb.height]), [640, 480], 'resized when it says so');

  await client.run(async hb => {
    const page = window as unknown as HostedWindow;
    const events = Object.entries(hb.tabs).filter(([name]) => name.startsWith('on'));
    for (const [name, event] of events as [string, { addListener(listener: unknown): Promise<void> }][])
      await event.addListener((...given: unknown[]) => void page.told.push([name, ...given]));
  });
  const results = await client.run(async ({ tabs }) => {
    const page = 'data:text/html;charset=utf-8,<title>another</title><p>This is a page in English, with some words.';
    const [first] = await tabs.query({});
    const one = first?.id as number;
    const made = await tabs.create({ url: page, active: false });
    const two = made.id as number;
    /** Chromium refuses to zoom a tab that has no address yet. */
    const zoom = async (tries = 50): Promise<unknown> =>
      tabs.setZoom(two, 1.5).catch(async (error: Error) => {
        if (tries === 0 || !error.message.includes('contents of url ""')) throw error;
        await new Promise(resolve => setTimeout(resolve, 200));
        return zoom(tries - 1);
      });
    return {
      query: one > 0,
      create: two !== one,
      get: (await tabs.get(two)).id === two,
      detectLanguage: typeof (await tabs.detectLanguage(one)),
      update: (await tabs.update(two, { active: true })).active,
      setZoom: await zoom(),
      getZoom: await tabs.getZoom(two),
      setZoomSettings: await tabs.setZoomSettings({ mode: 'automatic' }),
      getZoomSettings: (await tabs.getZoomSettings(two)).mode,
      move: (await tabs.move(two, { index: 0 })).index,
      highlight: (await tabs.highlight({ tabs: [0, 1] })).id !== undefined,
      group: (await tabs.group({ tabIds: two })) >= 0,
      ungroup: await tabs.ungroup(two),
      duplicate: (await tabs.duplicate(two)).id !== two,
      reload: await tabs.reload(two),
      goBack: await tabs.goBack(one).catch((error: Error) => error.message),
      goForward: await tabs.goForward(one).catch((error: Error) => error.message),
      discard: typeof (await tabs.discard(one)),
      remove: await tabs.remove(two),
    };
  });
  t.match(results, {
    ...{ query: true, create: true, get: true, detectLanguage: 'string', update: true, getZoom: 1.5 },
    ...{ getZoomSettings: 'automatic', move: 0, highlight: true, group: true, duplicate: true, discard: 'object' },
    ...{ goBack: /./, goForward: /./ },
  });
  for (const method of ['setZoom', 'setZoomSettings', 'ungroup', 'reload', 'remove'] as const)
    t.equal(results[method], undefined, `${method} has no result`);
  for (const event of [
    'onActivated',
    'onCreated',
    'onHighlighted',
    'onMoved',
    'onRemoved',
    'onUpdated',
    'onZoomChange',
  ])
    t.ok(await until(event, async () => (await client.told(event)).length > 0), event);
  t.match(await client.told('onRemoved'), [[Number, { isWindowClosing: false }]], 'with all of its arguments');
  t.match(await errorOf(hb => hb.tabs.get(123456)), /^Error: No tab with id: 123456/);
  t.match(await errorOf(hb => hb.resize(100, 100)), /^RangeError/);
  const events = await client.run(async ({ tabs }) => {
    let count = 0;
    const listener = () => void count++;
    await tabs.onCreated.addListener(listener);
    await tabs.create({});
    const before = count;
    await tabs.onCreated.removeListener(listener);
    await tabs.create({});
    return [before, count];
  });
  t.same(events, [1, 1], 'a listener that was removed is told nothing');
  await end(session);
});

t.test('refusals are errors of the call', async t => {
  const session = await startSession(service, PAGE, { default_roles: ['control'] });
  const client = await hostedPage(site, session.url, { adminToken: 'wrong' });
  const errors = await client.run(hb =>
    Promise.all(
      [hb.resize(320, 320), hb.tabs.query({}), hb.addRoles([hb.userId], ['resize'], false)].map(call =>
        call.then(String, (error: Error) => error.message),
      ),
    ),
  );
  t.match(errors, [/needs the role resize/, /role/, /admin/]);
  await end(session);
});

t.test('what it is told: frames, tracks, cursors, states, warnings, the end', async t => {
  const webhook = await participantWebhook(t);
  webhook.answer = ({ body, response }) => say(response, { authorized: Array.isArray(body.userdata) });
  const session = await startSession(service, PAGE, {
    auth: { type: 'webhook', value: { url: webhook.url, bearer: 'b' } },
    default_roles: ['control', 'cursor_data'],
    timeout: { inactive: 120, warning: 117, offline: null },
  });
  const webhookUserdata = ['a list', { of: 'anything' }];
  const client = await hostedPage(site, session.url, { webhookUserdata, persistScreen: true });
  await shows(client, '');
  t.same(webhook.questions[0]?.body.userdata, webhookUserdata);
  const other = await hostedPage(site, session.url, { webhookUserdata: [] });
  await shows(other, '');

  const media = await other.page.evaluate(
    async ([url, webhookUserdata]) => {
      const { load } = window as unknown as HostedWindow;
      const box = () => document.body.appendChild(document.createElement('div'));
      const given = (options: (give: (value: unknown) => void) => object) =>
        new Promise((resolve, reject) => {
          load(box(), url, { webhookUserdata, timeout: 30_000, ...options(resolve) }).catch(reject);
        });
      return Promise.all([
        given(give => ({
          // A busy machine may show the small layer first.
          frameCb: (frame: ImageBitmap) =>
            frame.width === 640 && give([frame instanceof ImageBitmap, frame.width, frame.height]),
        })),
        given(give => ({
          videoTrackCb: async (track: MediaStreamTrack) => {
            const video = document.createElement('video');
            video.srcObject = new MediaStream([track]);
            video.muted = true;
            await video.play();
            const look: VideoFrameRequestCallback = (_, { width, height }) =>
              width === 640 ? give([track.kind, width, height]) : void video.requestVideoFrameCallback(look);
            video.requestVideoFrameCallback(look);
          },
        })),
        given(give => ({ audioTrackCb: (track: MediaStreamTrack) => give(track.kind) })),
      ]);
    },
    [site.at(session.url), webhookUserdata] as const,
  );
  t.same(media, [[true, 640, 400], ['video', 640, 400], 'audio']);

  await other.page.mouse.move(190, 140);
  await other.page.mouse.move(350, 240);
  const seen = await until('the pointer is seen', async () => {
    const last = (await client.told('onCursor')).at(-1);
    return last?.x > 0.45 && last;
  });
  t.equal(seen.userId, await other.run(hb => hb.userId));
  const box = await client.page.locator('#session').boundingBox();
  t.ok(Math.abs(seen.clientX - (box?.x ?? 0) - seen.x * 640) < 2, `${seen.clientX}`);
  t.ok(Math.abs(seen.clientY - (box?.y ?? 0) - seen.y * 400) < 2, `${seen.clientY}`);

  const states = async () => (await client.told('onConnectionStateChange')).map(({ state }) => state as string);
  t.same((await states()).slice(0, 2), ['connecting', 'playing']);
  await client.run(hb => hb.reconnect());
  await until('it plays again', async () => (await states()).slice(-2).join() === 'reconnecting,playing');

  const lastWarning = async () => (await client.told('onCloseWarning')).at(-1);
  const warning = await until('a warning', async () => {
    const last = await lastWarning();
    return last?.deadline !== undefined && last;
  });
  t.match(warning, { type: 'inactive', deadline: { delay: Number, closeDate: /^\d{4}-/ } });
  await client.run(hb => hb.ping());
  const withdrawn = await until('it is withdrawn', async () => {
    const last = await lastWarning();
    return last.deadline === undefined && last;
  });
  t.equal(withdrawn.type, 'inactive');
  await end(session);
  t.same(await until('the end', async () => (await client.told('onDisconnect'))[0]), { type: 'request' });
  t.equal(await client.picture.number(), 0, 'persistScreen: the picture stays');
  t.equal(await client.picture.status(), '', 'and nothing is over it');
  t.not(await other.picture.status(), '');
});

t.test('the address of a session is the module for who asks with no_cbor, and the page for all others', async t => {
  const session = await startSession(service, PAGE);
  const ask = async (url: string) => {
    const { status, headers } = await fetch(url);
    const [type, cache, origin] = ['content-type', 'cache-control', 'access-control-allow-origin'].map(name =>
      headers.get(name),
    );
    return [status, type?.split(';')[0], cache, origin];
  };
  t.same(await ask(session.url), [200, 'text/html', 'no-store', '*']);
  t.same(await ask(`${session.url}&no_cbor=1`), [200, 'text/javascript', 'no-store', '*']);
  await end(session);
  const [status, type, , origin] = await ask(`${session.url}&no_cbor=1`);
  t.same([status, type, origin], [409, 'application/json', '*'], 'the client may read why not');
});

t.test('loading fails as the client’s users know it', async t => {
  const webhook = await participantWebhook(t);
  webhook.answer = () => undefined;
  const auth = { type: 'webhook', value: { url: webhook.url, bearer: 'b' } };
  const session = await startSession(service, PAGE, { auth });
  const page = await site.open();
  const errorOf = (url: string, options: object = {}) =>
    page.evaluate(
      async ([url, options]) => {
        const { load } = window as unknown as HostedWindow;
        const loading = load(document.getElementById('session') as HTMLDivElement, url, options);
        return loading.then(
          () => 'loaded',
          (error: Error) => error.name,
        );
      },
      [url, options] as const,
    );
  const url = site.at(session.url);
  t.equal(await errorOf(url, { timeout: 1000 }), 'TimedOutError', 'nobody says whether it may join');
  t.equal(await errorOf(url, { frameCb: undefined, timeout: 1 }), 'TimedOutError', 'too little time');
  t.equal(await errorOf(`http://localhost:${await freePort()}/s/x?token=y`), 'FailedToLoadError', 'no service there');
  t.equal(await errorOf(url.replace(/token=.*/, 'token=wrong')), 'SessionTerminatedError', 'a wrong token');
  await end(session);
  t.equal(await errorOf(url), 'SessionTerminatedError', 'a session that has ended');
  await page.context().setOffline(true);
  t.equal(await errorOf(url), 'OfflineError', 'no network');
});
