// tags: containers
import t from 'tap';
import type { Dialog } from '../../../src/protocol/generated/schemas.js';
import { LOCALHOST } from '../../fixtures/certificates/index.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

/**
 * A page that asks whether it is to be left once something was typed. F2, F6 and F7 open dialogs, F7 with Shift after two
 * seconds; F4 keeps it busy for good, F3 opens a popup; F8 wants a passkey and F9 a device.
 */
const PAGE = `<!doctype html><meta charset="utf-8"><title>empty</title>
<textarea autofocus style="position:fixed;inset:0"></textarea>
<script>
const id = new Uint8Array(16);
const report = value => navigator.sendBeacon('/report', JSON.stringify({ value }));
addEventListener('beforeunload', event => {
  event.preventDefault();
  navigator.sendBeacon('/report', JSON.stringify({ asked: location.pathname }));
});
addEventListener('input', () => { document.title = 'typed ' + location.pathname; });
const refusal = promise => promise.catch(error => error.name);
const create = () => navigator.credentials.create({ publicKey: { challenge: id, rp: { name: 'r' },
  user: { id, name: 'u', displayName: 'u' }, pubKeyCredParams: [{ type: 'public-key', alg: -7 }] } });
const get = mediation => navigator.credentials.get({ mediation, publicKey: { challenge: id } });
async function passkeys() {
  const refusals = [await refusal(create()), await refusal(get()), await refusal(get('conditional'))];
  const { isUserVerifyingPlatformAuthenticatorAvailable: own, isConditionalMediationAvailable: offered } = PublicKeyCredential;
  report([...refusals, await own.call(PublicKeyCredential), await offered.call(PublicKeyCredential)]);
}
const tell = () => { alert('first'); report('told'); };
let later;
addEventListener('keydown', event => {
  const { key } = event;
  // Chromium uses some of them.
  if (/^F[36-9]$/.test(key)) event.preventDefault();
  if (key === 'F2') confirm('Really?');
  if (key === 'F4') for (;;);
  if (key === 'F6') report(prompt('Who?\u202e', 'nobody'));
  if (key === 'F3') open('/popup', '', 'popup,width=500,height=400');
  if (key === 'F7' && event.shiftKey) { report('soon'); later ??= setTimeout(tell, 2000); }
  else if (key === 'F7') tell();
  if (key === 'F8') passkeys();
  if (key === 'F9') refusal(navigator.usb.requestDevice({ filters: [] })).then(report);
});
</script>`;

interface Tab {
  id: number;
  url: string;
  title: string;
  status: string;
}

const F2 = 0xffbf;
const F3 = 0xffc0;
const F4 = 0xffc1;
const F5 = 0xffc2;
const F6 = 0xffc3;
const F7 = 0xffc4;
const F8 = 0xffc5;
const F9 = 0xffc6;
const RETURN = 0xff0d;
const SHIFT = 0xffe1;

/** The end is to be answered long before Chromium would be killed, after 10 s. */
const END_MS = 6000;

const url = (path: string) => `http://localhost:8000/${path}`;

const computer = await Computer.start(t, { hosts: ['site.example'] });
const site = await computer.serve(PAGE);
const service = await Service.connect(t, computer);
await service.run(launchOf({ start_url: url('first') }));
await service.browserAnswers();

const tabs = (method: string, ...args: unknown[]) => service.call(`tabs.${method}`, ...args);
const allTabs = async () => (await tabs('query', {})) as Tab[];
const active = async () => ((await tabs('query', { active: true })) as [Tab])[0];
const questions = (path: string) =>
  (site.reports as { asked: string }[]).filter(({ asked }) => asked === `/${path}`).length;
const visits = (path: string) => site.visits.filter(visit => visit.path === `/${path}`).length;

/** Types into the page of the tab in the foreground, which asks from then on. */
async function typeInto(path: string): Promise<void> {
  await until(`${path} is typed into`, async () => {
    service.click(0.5, 0.5);
    service.press(0x61);
    const isTyped = async () => {
      const tab = await active();
      return tab.url === url(path) && tab.title === `typed /${path}`;
    };
    return until('it says so', isTyped, 500).catch(() => false);
  });
}

t.test('calls that leave a page which asks are carried out', async t => {
  const { id } = await active();
  await typeInto('first');
  const before = visits('first');
  t.equal(await tabs('reload'), null);
  await until('it is loaded again', async () => visits('first') > before && (await active()).title === 'empty');

  await typeInto('first');
  t.match(await tabs('update', id, { url: url('second') }), { id });
  await until('the other page is there', () => visits('second') > 0);

  await typeInto('second');
  t.equal(await tabs('goBack', id), null);
  await until('the first page is back', async () => (await active()).url === url('first'));

  await typeInto('first');
  t.equal(await tabs('goForward', id), null);
  await until('the second page is back', async () => (await active()).url === url('second'));

  await tabs('create', { url: url('third') });
  await typeInto('third');
  t.equal(await tabs('remove', (await active()).id), null);
  t.same(
    (await allTabs()).map(tab => tab.id),
    [id],
  );
});

t.test('people who leave such a page are asked, and a later call goes its own way', async t => {
  await typeInto('second');
  const before = visits('second');
  const asked = questions('second');
  service.press(F5);
  await until('the page asks', () => questions('second') > asked);
  t.equal(visits('second'), before);
  t.match(await tabs('update', (await active()).id, { url: url('fourth') }), { id: Number });
  await until('the page of the call is there', () => visits('fourth') > 0);
});

const open = async () => (await service.call('dialogs.list')) as Dialog[];
const values = () =>
  (site.reports as { value?: unknown }[]).flatMap(({ value }) => (value === undefined ? [] : [value]));

/** The dialog that is open, once it is of this type. */
const dialog = (type: Dialog['type']) =>
  until(`a dialog of type ${type}`, async () => (await open()).find(each => each.type === type));

/** Has the page ask for a confirmation, once it takes keys. */
const askToConfirm = () =>
  until('it asks', () => {
    service.press(F2);
    return until('its question', async () => (await open())[0], 1000).catch(() => false);
  });

/** Has the page ask whether it is to be left, once no other dialog takes the key; the dialog's ID. */
const askToLeave = () =>
  until('it asks', () => {
    service.press(F5);
    const asks = async () => (await open()).find(({ type }) => type === 'beforeunload')?.id;
    return until('it does', asks, 1000).catch(() => false);
  });

async function reported(value: unknown, act: () => unknown): Promise<void> {
  const before = values().length;
  await act();
  await until(`${String(value)} is reported`, () => values().length > before);
  t.same(values().at(-1), value);
}

t.test('dialogs of pages are told, and answered by calls or on the display', async t => {
  await tabs('create', { url: url('asking') });
  await until('its page is there', async () => (await active()).url === url('asking'));
  await typeInto('asking');
  service.press(F6);
  const { id, ...prompt } = await dialog('prompt');
  const { id: tabId } = await active();
  t.same(prompt, {
    type: 'prompt',
    tab_id: tabId,
    origin: 'http://localhost:8000',
    message: 'Who? ',
    default_value: 'nobody',
  });
  await t.rejects(service.call('dialogs.accept', id, { username: 'Ada' }), { code: 'invalid_arguments' });
  await reported('Ada', () => service.call('dialogs.accept', id, { text: 'Ada' }));
  await t.rejects(service.call('dialogs.accept', id), { code: 'dialog_not_found' });
  service.press(F6);
  await reported(null, async () => service.call('dialogs.dismiss', (await dialog('prompt')).id));

  service.press(F7);
  await dialog('alert');
  await reported('told', () => service.press(RETURN));
  await until('it is closed', async () => (await open()).length === 0);

  await service.call('dialogs.dismiss', await askToLeave());
  t.same(await open(), []);
  const before = visits('asking');
  await service.call('dialogs.accept', await askToLeave());
  await until('the page is loaded again', async () => visits('asking') > before && (await active()).title === 'empty');
  const told = service.heard.flatMap(message => (message.type === 'dialogs' ? [message.dialogs.length] : []));
  t.same(new Set(told), new Set([0, 1]));
  t.equal(told.at(-1), 0);
});

t.test('so are those of popups, and of tabs in the background', async t => {
  const { id: front } = await active();
  await typeInto('asking');
  service.press(F3);
  const popup = await until('its page', async () => (await allTabs()).find(tab => tab.url === url('popup')));
  await askToConfirm();
  t.match(await open(), [{ type: 'confirm', tab_id: popup.id, message: 'Really?' }]);
  t.equal(await service.call('dialogs.accept', (await dialog('confirm')).id), null);
  t.equal(await tabs('remove', popup.id), null);
  await until('the page hears it', () => {
    service.input({ type: 'key', keysym: SHIFT, down: true });
    service.press(F7);
    service.input({ type: 'key', keysym: SHIFT, down: false });
    return until('it does', () => values().at(-1) === 'soon', 300).catch(() => false);
  });
  await tabs('create', { url: url('front') });
  t.match(await dialog('alert'), { tab_id: front });
  await reported('told', async () => service.call('dialogs.accept', (await dialog('alert')).id));
  await tabs('remove', (await active()).id);
  await until('the first is in front', async () => (await active()).id === front);
});

t.test('passkeys and devices are refused at once', async t => {
  await typeInto('asking');
  const refused = 'NotAllowedError';
  await reported([refused, refused, refused, false, false], () => service.press(F8));
  await reported('NotFoundError', () => service.press(F9));
  t.same(await open(), []);
});

t.test('a page that wants a name and a password gets them, or shows what it says without', async t => {
  await computer.exec('sh', '-c', `node -e '${GUARDED}' >/dev/null 2>&1 &`);
  await computer.exec('sh', '-c', `until node -e '${REACH}'; do sleep 0.1; done`);
  const { id } = await active();
  const visit = (path: string) => tabs('update', id, { url: `http://localhost:8002/${path}` });
  const title = async () => (await active()).title;
  await visit('a');
  const asked = await dialog('auth');
  t.match(asked, { tab_id: id, origin: 'http://localhost:8002', message: '' });
  await t.rejects(service.call('dialogs.accept', asked.id), { code: 'invalid_arguments' });
  await service.call('dialogs.dismiss', asked.id);
  await until('it refuses', async () => (await title()) === 'refused');
  t.same(await open(), []);

  await visit('b');
  const wrong = await dialog('auth');
  await service.call('dialogs.accept', wrong.id, { username: 'Ada', password: 'wrong' });
  const again = await until('it asks again', async () => (await open()).find(each => each.id !== wrong.id));
  await service.call('dialogs.accept', again.id, { username: 'Ada', password: 'right' });
  await until('it lets in', async () => (await title()) === 'welcome');
  t.same(await open(), []);
  t.notMatch(JSON.stringify(service.heard), /right|wrong/, 'nobody is told the passwords');
  t.notMatch(await computer.log(), /"wrong|right/);
});

t.test('where a certificate is not valid, the page is left or gone on to', async t => {
  await computer.serve(BEHIND, 8443, {}, LOCALHOST);
  await computer.exec('sh', '-c', `node -e '${ARCHIVE}' >/dev/null 2>&1 &`);
  const { id } = await active();
  await tabs('update', id, { url: 'https://localhost:8443/' });
  const first = await dialog('certificate');
  t.match(first, { origin: 'https://localhost:8443', message: 'net::ERR_CERT_AUTHORITY_INVALID' });
  await service.call('dialogs.dismiss', first.id);
  await until('it is left', async () => !(await active()).url.startsWith('https:'));
  await tabs('update', id, { url: 'https://localhost:8443/' });
  await service.call('dialogs.accept', (await dialog('certificate')).id);
  await until('the page is there', async () => (await active()).title === 'behind');
  t.same(await open(), []);
  const isOffered = () => service.heard.some(message => message.type === 'download' && message.name === 'mixed.zip');
  await until('what it loads without TLS is a download', () => {
    service.click(0.5, 0.5);
    return until('it is', isOffered, 1000).catch(() => false);
  });
  await tabs('remove', id);
});

t.test('nothing that pages do or ask holds up the end, and their tabs are kept', async t => {
  await typeInto('fourth');
  await tabs('create', { url: url('confirm') });
  await typeInto('confirm');
  await askToConfirm();
  await tabs('create', { url: url('busy') });
  await typeInto('busy');
  service.press(F4);
  await computer.exec('sh', '-c', `node -e '${ENDLESS}' >/dev/null 2>&1 &`);
  const hasDownload = async () => (await computer.exec('ls', '/tmp/downloads')).includes('.crdownload');
  await until('a download begins', async () => {
    await tabs('create', { url: 'http://localhost:8001/', active: false });
    return until('its file', hasDownload, 2000).catch(() => false);
  });

  const begun = performance.now();
  const answer = await computer.request('GET', '/profile');
  const profile = Buffer.from(await answer.arrayBuffer());
  t.equal(answer.status, 200);
  const took = Math.round(performance.now() - begun);
  t.ok(took < END_MS, `${took} ms`);

  const next = await Computer.start(t);
  const again = await next.serve(PAGE);
  const other = await Service.connect(t, next);
  const launch = launchOf();
  if (!('chromium' in launch)) return t.fail('no browser');
  const { start_url: _, ...chromium } = launch.chromium;
  other.tell({ ...launch, chromium: { ...chromium, profile: { load: true, save: true } } });
  t.equal((await next.request('PUT', '/profile', profile)).status, 204);
  for (const path of ['/fourth', '/confirm', '/busy'])
    await until(`${path} is restored`, () => again.visits.some(visit => visit.path === path));
});

/** A server whose only file never ends. */
const ENDLESS = `require("http").createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/zip", "content-length": 1e9 });
  response.write(Buffer.alloc(1e6));
}).listen(8001)`;

/** A page whose click leads to a file that is not protected by TLS, and the file's server. */
const BEHIND = `<!doctype html><title>behind</title>
<script>onclick = () => (location = 'http://site.example:8003/mixed.zip')</script>`;
const ARCHIVE = `require("http").createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/zip" });
  response.end("PK");
}).listen(8003)`;

/** A server that wants a name and a password. */
const GUARDED = `require("http").createServer((request, response) => {
  const { authorization = "" } = request.headers;
  const isRight = Buffer.from(authorization.slice(6), "base64").toString() === "Ada:right";
  response.writeHead(isRight ? 200 : 401, { "content-type": "text/html", "www-authenticate": "Basic realm=x" });
  response.end(isRight ? "<title>welcome</title>" : "<title>refused</title>");
}).listen(8002)`;

/** Succeeds once that server answers. */
const REACH = 'fetch("http://localhost:8002").catch(() => process.exit(1))';
