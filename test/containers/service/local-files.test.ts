// tags: containers
/**
 * No file of the container is shown to people or pages, or downloaded, by any way but dialogs of files. One file stands for
 * all: it has a colour and a title of its own, and tells when its script runs. Nothing that was opened is closed, so that
 * what comes late is seen. What extensions may do is in extension-files.test.ts.
 */
import { decode } from 'fast-png';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { BerthClient, type SessionClient } from '../../../src/client/index.js';
import { containerOf, hostAddress, shell } from '../../fixtures/engines/docker.js';
import { startService } from '../../fixtures/services/service.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const PATH = '/tmp/secret.html';
const FILE = `file://${PATH}`;
const TITLE = 'the secret';

/** The file; its comment is what colours its source. */
const secretPage = (origin: string) =>
  `<!--\n${`${'█'.repeat(60)}\n`.repeat(20)}--><title>${TITLE}</title><body style="background:#f0f"><script>new Image().src = '${origin}/leak'</script>`;

const LINKS = ['/link', '/download', '/drag'];

/** A page that tries something; it tells when it is there, when it was clicked and what it could read. */
function page(path: string): string {
  const does: Record<string, string> = {
    '/meta': `<meta http-equiv="refresh" content="0;url=${FILE}">`,
    '/script': `<script>location.href = '${FILE}'</script>`,
    '/frames': `<iframe src="${FILE}"></iframe><embed src="${FILE}"><object data="${FILE}"></object><iframe src="view-source:${FILE}"></iframe>
      <script>(async () => {
        const request = new Promise((resolve, reject) => Object.assign(new XMLHttpRequest(), { onload: resolve, onerror: reject }).open('GET', '${FILE}'));
        const tries = { fetch: () => fetch('${FILE}', { mode: 'no-cors' }), module: () => import('${FILE}'), worker: () => new Worker('${FILE}') };
        for (const [name, attempt] of Object.entries(tries)) {
          report(name + ' ' + await Promise.resolve().then(attempt).then(() => 'read', () => 'refused'));
        }
      })()</script>`,
    '/open': `<script>onclick = () => { report('clicked /open'); open('${FILE}'); open('view-source:${FILE}'); }</script>`,
  };
  const link = `<a style="position:fixed;inset:0" href="${FILE}" ${path === '/download' ? 'download' : ''} onclick="report('clicked ${path}')">x</a>`;
  return `<!doctype html><title>${path}</title><script>
    const report = what => fetch('/report', { method: 'POST', body: what });
    onload = () => report('loaded ${path}');
    ondragstart = () => report('dragged ${path}');
    onauxclick = () => report('clicked aside ${path}');
  </script>${LINKS.includes(path) ? link : (does[path] ?? '')}`;
}

const reports: string[] = [];
let leaks = 0;
let origin = '';
const server = createServer((request, response) => {
  const path = request.url ?? '/';
  if (path === '/leak') leaks++;
  if (path === '/redirect') return void response.writeHead(302, { location: FILE }).end();
  if (path === '/report') {
    let body = '';
    request
      .on('data', (chunk: Buffer) => (body += chunk.toString()))
      .on('end', () => void (reports.push(body), response.end()));
    return;
  }
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(path === '/secret' ? secretPage(origin) : page(path));
});
const host = await hostAddress();
server.listen(0, host);
await once(server, 'listening');
t.teardown(() => void server.close().closeAllConnections());
origin = `http://${host}:${(server.address() as AddressInfo).port}`;

const told = (what: string) =>
  until(
    () => `${what}, but only ${reports.join(', ')}`,
    () => reports.includes(what),
  );

const service = await startService(t, { BERTH_EGRESS: 'open' });

async function start() {
  const { body, status } = await service.api('POST', '/v0/vm', { width: 800, height: 600 });
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(body)}`);
  const { session_id, embed_url, admin_token } = body as Record<'session_id' | 'embed_url' | 'admin_token', string>;
  const container = containerOf(service, session_id);
  const script = `cat > ${PATH} <<'END'\n${secretPage(origin)}\nEND`;
  t.equal((await shell(container, script)).status, 0);
  const berth = new BerthClient({ url: service.url, apiKey: service.apiKey });
  return { container, session: berth.session(embed_url, admin_token), embedUrl: embed_url };
}

/** What of the file is in the picture, once that stands still. */
async function seen(session: SessionClient): Promise<'page' | 'source' | 'nothing'> {
  let last: Uint8Array = new Uint8Array();
  return until('the picture stands still', async () => {
    const { data, channels } = decode(await (await session.screenshot()).arrayBuffer());
    const now = Uint8Array.from(data);
    const still = Buffer.compare(now, last) === 0;
    last = now;
    if (!still) return null;
    let [page, source] = [0, 0];
    for (let at = 0; at < now.length; at += channels) {
      const [red = 0, green = 0, blue = 0] = now.subarray(at, at + 3);
      if (red > 230 && green < 25 && blue > 230) page++;
      if (Math.abs(red - 35) < 15 && Math.abs(green - 110) < 15 && Math.abs(blue - 37) < 15) source++;
    }
    return page > 100 ? 'page' : source > 1000 ? 'source' : 'nothing';
  });
}

t.test('no session can start on a local file', async t => {
  for (const start_url of [FILE, `view-source:${FILE}`, `filesystem:${FILE}`]) {
    const { status, body } = await service.api('POST', '/v0/vm', { start_url });
    t.same([status, body.code, body.details?.[0]?.path], [400, 'invalid_body', '/start_url'], start_url);
  }
});

t.test('no file of the container can be shown in any way', async t => {
  const { container, session, embedUrl } = await start();
  const viewer = await StreamClient.join(embedUrl.replace(/^http/, 'ws').replace('?', '/stream?'));
  const open = async (url: string) =>
    (await until('the browser answers', () => session.tabs.create({ url }).catch(() => null))).id ?? -1;

  const key = (keysym: number, down: boolean) => viewer.input({ type: 'key', down, keysym });
  const press = (...keysyms: number[]) => {
    for (const keysym of keysyms) key(keysym, true);
    for (const keysym of keysyms.reverse()) key(keysym, false);
  };
  /** Opens a tab and types an address into it. */
  const type = async (address: string) => {
    await open('about:blank');
    let triedAt = -Infinity;
    await until(`${address} is typed`, async () => {
      if (performance.now() - triedAt > 3000) {
        triedAt = performance.now();
        press(0xffe3, 0x6c);
        viewer.input({ type: 'text', text: address });
        press(0xff0d);
      }
      return (await session.tabs.query({ active: true })).some(({ url }) => url === address);
    });
  };

  await t.test('the search would find a file that is shown', async t => {
    const id = await open(`${origin}/secret`);
    await until('the page is seen', async () => (await seen(session)) === 'page');
    t.equal((await session.tabs.get(id)).title, TITLE);
    await until('its script has run', () => leaks === 1);
    await session.tabs.remove(id);
    await type(`view-source:${origin}/secret`);
    await until('its source is seen', async () => (await seen(session)) === 'source');
    const [tab] = await session.tabs.query({ active: true });
    await session.tabs.remove(tab?.id ?? -1);
  });

  for (const url of [
    FILE,
    `FILE:${PATH}`,
    `file://localhost${PATH}`,
    'file:///',
    `view-source:${FILE}`,
    `filesystem:${FILE}`,
  ]) {
    await session.tabs.create({ url }).catch(() => undefined);
    const id = await open('about:blank');
    await session.tabs.update(id, { url }).catch(() => undefined);
  }
  for (const path of ['/redirect', '/meta', '/script', '/frames']) await open(origin + path);
  await told('worker refused');

  for (const address of [FILE, `view-source:${FILE}`]) await type(address);

  const button = (down: boolean, y: number, button = 0) => viewer.input({ type: 'button', button, down, x: 0.5, y });
  for (const [path, which, wanted] of [
    ['/open', 0, 'clicked'],
    ['/link', 0, 'clicked'],
    ['/link', 1, 'clicked aside'],
    ['/download', 0, 'clicked'],
    ['/drag', 0, 'dragged'],
  ] as const) {
    await open(`${origin}${path}`);
    let triedAt = -Infinity;
    const before = reports.length;
    await until(`${path} ${wanted}`, () => {
      if (performance.now() - triedAt > 1000) {
        triedAt = performance.now();
        button(true, 0.7, which);
        // A link that is dragged goes to the row of tabs.
        if (path === '/drag') for (let y = 0.7; y > 0.03; y -= 0.05) viewer.input({ type: 'move', x: 0.5, y });
        button(false, path === '/drag' ? 0.03 : 0.7, which);
      }
      return reports.slice(before).includes(`${wanted} ${path}`);
    });
  }

  // The page with the switch that lets an extension read files.
  for (const url of [
    'chrome://extensions/',
    'chrome://extensions/?id=lejedbhcmlknmcfgppheopcnefmdioak',
    'view-source:chrome://extensions/',
  ]) {
    await session.tabs.create({ url }).catch(() => undefined);
    await type(url);
  }

  t.same(
    reports.filter(report => report.endsWith(' read')),
    [],
  );

  for (const tab of await session.tabs.query({})) {
    await session.tabs.update(tab.id ?? -1, { active: true });
    t.equal(await seen(session), 'nothing', tab.url ?? '');
    t.notOk(
      [TITLE, 'Index of /', 'Extensions'].includes((await session.tabs.get(tab.id ?? -1)).title ?? ''),
      tab.title ?? '',
    );
  }
  t.equal(leaks, 1, 'its script has run where it was looked for only');
  t.equal((await shell(container, 'ls -A /tmp/downloads')).output, '', 'nothing was downloaded');
});
