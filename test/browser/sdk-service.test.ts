// tags: containers
/** Options and members of the SDK that the service serves have their effect on sessions of the real service. */
import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import type { BerthOptions, BrowserSession } from '../../src/web/sdk/index.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { integratorPage } from '../fixtures/pages/integrator.js';
import { type LiveSession, startSession } from '../fixtures/pages/pixel-session.js';
import { participantWebhook, say } from '../fixtures/services/participant-webhook.js';
import { startService } from '../fixtures/services/service.js';
import { hash } from '../fixtures/pages/pixel-page.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

/** Shows what was typed so far. */
const KEYS = `let keys = ''; onkeydown = event => { if (event.key.length === 1) show(hash(keys += event.key)); }; show(0);`;
const TONE_HZ = 1000;
const TONE = `const audio = new AudioContext(); const tone = new OscillatorNode(audio, { frequency: ${TONE_HZ} });
tone.connect(audio.destination); tone.start(); show(0);`;

const service = await startService(t);
const browser = await openBrowser(t);

/** What the script of the page keeps in the window. */
interface Embedding extends Window {
  session: BrowserSession;
  told: [string, unknown][];
}

/** Runs `script` in the page, for which `session` is the mounted one. */
type Run = <T>(script: (session: BrowserSession) => T | Promise<T>) => Promise<T>;

interface Viewer {
  page: Page;
  picture: ViewerPage;
  run: Run;
  /** What its callbacks were given, by their names. */
  told: (name: string) => Promise<any[]>;
}

/** A page that has mounted the session with the SDK; all callbacks but those for media are noted. */
async function embedded(t: Test, { url }: Pick<LiveSession, 'url'>, options: BerthOptions = {}): Promise<Viewer> {
  const page = await integratorPage(
    t,
    browser,
    `<!doctype html><style>#session { width: 640px; height: 400px }</style><div id="session"></div><input id="own">`,
  );
  await page.evaluate(
    async ([sdk, url, options]) => {
      const { default: Berth } = (await import(sdk)) as {
        default: typeof import('../../src/web/sdk/index.js').default;
      };
      const embedding = window as unknown as Embedding;
      embedding.told = [];
      const noting = (name: string) => [name, (event: unknown) => void embedding.told.push([name, event])];
      const callbacks = [
        'onCursor',
        'onDisconnect',
        'onCloseWarning',
        'onConnectionStateChange',
        'onAccessChange',
        'onError',
        'onResize',
      ];
      embedding.session = (await Berth(document.getElementById('session') as HTMLDivElement, url, {
        timeout: 60_000,
        ...(Object.fromEntries(callbacks.map(noting)) as BerthOptions),
        ...options,
      })) as BrowserSession;
    },
    [`${service.url}/sdk.js`, url, options] as const,
  );
  return {
    page,
    picture: ViewerPage.on(page),
    run: script => page.evaluate(`(${String(script)})(window.session)`),
    told: async name => {
      const all = await page.evaluate(() => (window as unknown as Embedding).told);
      return all.filter(([each]) => each === name).map(([, event]) => event);
    },
  };
}

const end = (session: LiveSession) => service.api('DELETE', `/v0/vm/${session.id}`);

t.test('delegateKeyboard, disableInput, sendEvent: which keys reach the session', async t => {
  const session = await startSession(service, KEYS);
  const delegating = await embedded(t, session);
  await delegating.picture.shows(0);
  await delegating.page.keyboard.press('a');
  await delegating.picture.shows(hash('a'));
  await delegating.page.focus('#own');
  await delegating.page.keyboard.press('b');
  t.equal(await delegating.page.inputValue('#own'), 'b', 'a field of the page keeps its keys');

  const plain = await embedded(t, session, { delegateKeyboard: false });
  await plain.picture.shows(hash('a'));
  await plain.page.keyboard.press('c');
  await plain.run(session => {
    session.sendEvent({ type: 'keydown', key: 'd' });
    session.sendEvent({ type: 'keyup', key: 'd' });
  });
  await plain.picture.shows(hash('ad'));
  t.pass('keys go to the session from anywhere on the page, but not without delegation, and those of the page do');

  const watching = await embedded(t, session, { disableInput: true });
  await watching.picture.shows(hash('ad'));
  await watching.page.mouse.click(300, 300);
  await watching.page.keyboard.press('e');
  await plain.page.mouse.click(300, 300);
  await plain.page.keyboard.press('f');
  await watching.picture.shows(hash('adf'));
  t.pass('with disableInput nothing is sent');
  await end(session);
});

t.test('frameCb, videoPaused, playoutDelay: the picture', async t => {
  const session = await startSession(service, KEYS);
  const viewer = await embedded(t, session, { playoutDelay: 1500 });
  await viewer.picture.shows(0);
  const pressed = performance.now();
  await viewer.page.keyboard.press('a');
  await viewer.picture.shows(hash('a'));
  t.ok(performance.now() - pressed >= 1500, `it is delayed: ${Math.round(performance.now() - pressed)} ms`);

  const pausing = await embedded(t, session, { videoPaused: true });
  const other = await embedded(t, session);
  await other.picture.shows(hash('a'));
  t.equal(await pausing.picture.number(), null, 'it starts without a picture');
  await pausing.run(session => void (session.videoPaused = false));
  await pausing.picture.shows(hash('a'));
  await pausing.run(session => void (session.videoPaused = true));
  await other.page.keyboard.press('b');
  await other.picture.shows(hash('ab'));
  t.equal(await pausing.picture.number(), hash('a'), 'it stands still');
  await pausing.run(session => void (session.videoPaused = false));
  await pausing.picture.shows(hash('ab'));

  const sizes = await other.page.evaluate(
    async ([sdk, url]) => {
      const { default: Berth } = (await import(sdk)) as {
        default: typeof import('../../src/web/sdk/index.js').default;
      };
      const container = document.body.appendChild(document.createElement('div'));
      return new Promise<string>((resolve, reject) => {
        const frameCb = (frame: VideoFrame | ImageBitmap) =>
          resolve('displayWidth' in frame ? `${frame.displayWidth}x${frame.displayHeight}` : 'no VideoFrame');
        Berth(container, url, { timeout: 60_000, frameCb }).catch(reject);
      });
    },
    [`${service.url}/sdk.js`, session.url] as const,
  );
  t.equal(sizes, '640x400', 'frames are given to the page');
  await end(session);
});

t.test('audioTrackCb, volume: the sound', async t => {
  const session = await startSession(service, TONE);
  const viewer = await embedded(t, session);
  const loudest = await viewer.page.evaluateHandle(
    async ([sdk, url]) => {
      const { default: Berth } = (await import(sdk)) as {
        default: typeof import('../../src/web/sdk/index.js').default;
      };
      const container = document.body.appendChild(document.createElement('div'));
      const audio = new AudioContext();
      const meter = new AnalyserNode(audio, { fftSize: 4096, smoothingTimeConstant: 0 });
      const session = await Berth(container, url, {
        timeout: 60_000,
        audioTrackCb: track => audio.createMediaStreamSource(new MediaStream([track])).connect(meter),
      });
      const levels = new Uint8Array(meter.frequencyBinCount);
      return (volume: number) => {
        session.volume = volume;
        meter.getByteFrequencyData(levels);
        const top = levels.reduce((max, level, bin) => (level > (levels[max] ?? 0) ? bin : max), 0);
        return { level: levels[top] ?? 0, frequency: (top * audio.sampleRate) / meter.fftSize };
      };
    },
    [`${service.url}/sdk.js`, session.url] as const,
  );
  const heard = (volume: number) => loudest.evaluate((measure, volume) => measure(volume), volume);
  const isTone = async () => Math.abs((await heard(1)).frequency - TONE_HZ) < 50 && (await heard(1)).level > 100;
  t.ok(await until('the tone is in the track', isTone));
  t.ok(await until('it is silent', async () => (await heard(0)).level === 0));
  t.ok(await until('the tone is back', isTone));
  await end(session);
});

t.test('adminToken, setPermissions, roles, tabs, resize, rtt: what a page may do, and is told', async t => {
  const session = await startSession(service, KEYS, { default_roles: ['control'] });
  const viewer = await embedded(t, session);
  const calls = () =>
    viewer.run(session =>
      Promise.all(
        [session.tabs.query({}), session.setPermissions(session.userId, { priority: 1 })].map(call =>
          call.then(
            () => 'done',
            (error: { code: string }) => error.code,
          ),
        ),
      ),
    );
  t.same(await calls(), ['role_required', 'admin_required'], 'without the token');
  await viewer.page.evaluate(token => {
    (window as unknown as Embedding).session.adminToken = token;
  }, session.adminToken);
  await until('with the token', async () => (await calls()).join() === 'done,done');
  const permissions = await viewer.run(session => session.setPermissions(session.userId, { priority: 4 }));
  t.match(permissions, { priority: 4 });
  await viewer.run(session => session.addRoles([session.userId], ['cursor_data']));
  const [user] = (await service.api('GET', `/s/${session.id}/users`)).body;
  t.match(user, { permissions: { priority: 4 }, roles: ['control', 'cursor_data'] });
  t.match((await viewer.told('onAccessChange')).at(-1), { permissions: { priority: 4 } });
  await viewer.run(session => session.removeRoles([session.userId], ['cursor_data']));
  t.notMatch((await service.api('GET', `/s/${session.id}/users`)).body[0].roles, ['control', 'cursor_data']);

  await viewer.run(session => session.resize(480, 320));
  await until('the new size', () => viewer.run(session => session.width === 480 && session.height === 320));
  t.equal(await viewer.run(session => session.rtt !== null && session.rtt > 0 && session.rtt < 60_000), true);
  await end(session);
});

t.test('onError, onResize: refusals, and sizes', async t => {
  const session = await startSession(service, KEYS, { default_roles: ['control'] });
  const viewer = await embedded(t, session, { adminToken: 'wrong' });
  const codes = () =>
    viewer.page.evaluate(() => {
      const { told } = window as unknown as Embedding;
      return told.flatMap(([name, error]) => (name === 'onError' ? [(error as { code: string }).code] : []));
    });
  await viewer.run(session => session.resize(480, 320));
  await until('both are told', async () => (await codes()).join() === 'admin_token_invalid,role_required');
  t.same(await viewer.told('onResize'), [{ width: 640, height: 400 }]);
  await viewer.page.evaluate(token => {
    (window as unknown as Embedding).session.adminToken = token;
  }, session.adminToken);
  await viewer.run(session => session.resize(480, 320));
  await until('the new size', async () => (await viewer.told('onResize')).length === 2);
  t.same((await viewer.told('onResize'))[1], { width: 480, height: 320 });
  t.equal((await codes()).length, 2);
  await end(session);
});

t.test('onCursor: the pointers of others', async t => {
  const session = await startSession(service, KEYS, { default_roles: ['control', 'cursor_data'] });
  const [watching, moving] = [await embedded(t, session), await embedded(t, session)];
  await moving.picture.shows(0);
  await moving.page.mouse.move(160, 100);
  await moving.page.mouse.move(328, 208);
  const userId = await moving.run(session => session.userId);
  const seen = await until('it is seen', async () => {
    const last = (await watching.told('onCursor')).at(-1);
    return last?.x > 0.4 && last;
  });
  t.match(seen, { userId });
  t.ok(Math.abs(seen.clientX - 328) < 8 && Math.abs(seen.clientY - 208) < 8, `${seen.clientX} ${seen.clientY}`);
  t.ok(Math.abs(seen.x - 0.5) < 0.02 && Math.abs(seen.y - 0.5) < 0.02, `${seen.x} ${seen.y}`);
  t.same(await moving.told('onCursor'), [], 'nobody is told of their own');
  await end(session);
});

t.test('webhookUserdata: the participants’ webhook gets it, and decides', async t => {
  const webhook = await participantWebhook(t);
  const auth = { type: 'webhook', value: { url: webhook.url, bearer: 'b' } };
  const session = await startSession(service, KEYS, { auth });
  webhook.answer = ({ body, response }) => say(response, { authorized: body.userdata['name'] === 'Ann' });
  const ann = await embedded(t, session, { webhookUserdata: { name: 'Ann' } });
  await ann.picture.shows(0);
  t.same(webhook.questions.at(-1)?.body.userdata, { name: 'Ann' });
  await t.rejects(embedded(t, session, { webhookUserdata: { name: 'Bob' } }), /You are not allowed to join/);
  await end(session);
});

t.test('onConnectionStateChange, reconnect, destroy, onDisconnect: coming and going', async t => {
  const session = await startSession(service, KEYS);
  const viewer = await embedded(t, session);
  await viewer.picture.shows(0);
  const states = async () => (await viewer.told('onConnectionStateChange')).map(({ state }) => state as string);
  await until('it plays', async () => (await states()).at(-1) === 'playing');
  const before = await viewer.run(session => session.userId);
  await viewer.run(session => session.reconnect());
  await until('it plays again', async () => (await states()).slice(-2).join() === 'reconnecting,playing');
  t.not(await viewer.run(session => session.userId), before, 'the viewer has a new ID');
  await viewer.page.keyboard.press('a');
  await viewer.picture.shows(hash('a'));

  const users = async () => (await service.api('GET', `/s/${session.id}/users`)).body;
  const kicked = await embedded(t, session);
  const userId = await kicked.run(session => session.userId);
  await service.api('DELETE', `/s/${session.id}/users/${userId}`);
  t.same(await until('it is told', async () => (await kicked.told('onDisconnect'))[0]), { type: 'kicked' });

  await viewer.run(session => session.destroy());
  await until('it has left', async () => (await users()).length === 0);
  t.equal(await viewer.page.evaluate(() => document.getElementById('session')?.shadowRoot?.childElementCount), 0);
  await end(session);
  await t.rejects(embedded(t, session), /SessionTerminatedError/);
});

t.test('onCloseWarning, ping: the end that approaches', async t => {
  const session = await startSession(service, KEYS, { timeout: { inactive: 20, warning: 17, offline: null } });
  const viewer = await embedded(t, session);
  const warnings = () => viewer.told('onCloseWarning');
  const warning = await until('it is told', async () => (await warnings())[0]);
  t.match(warning, { type: 'inactive', deadline: { closeDate: /^\d{4}-/ } });
  t.ok(warning.deadline.delay > 0 && warning.deadline.delay <= 17_000, String(warning.deadline.delay));
  await viewer.run(session => session.ping());
  await until('it is withdrawn', async () => (await warnings())[1] === null);
  await service.api('POST', `/s/${session.id}/timeout`, { inactive: 0.5 });
  t.same(await until('the end', async () => (await viewer.told('onDisconnect'))[0]), { type: 'inactive' });
});
