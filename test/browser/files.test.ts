// tags: containers
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { FileChooser } from 'playwright-core';
import { containerOf, shell } from '../fixtures/engines/docker.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { openBar } from '../fixtures/viewers/player-page.js';
import { startService } from '../fixtures/services/service.js';
import { hash } from '../fixtures/pages/pixel-page.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

/** Above left an input for a folder, right one for files, below left a place to drop them, below right one whose click saves a file. */
const FILES = `
  text.remove();
  const add = (tag, css, more) => document.body.appendChild(Object.assign(document.createElement(tag), more, { style: 'position:fixed;width:50%;' + css }));
  const take = async (what, files) => show(hash(what + (await Promise.all([...files].map(async file => (file.webkitRelativePath || file.name) + ':' + await file.text()))).join()));
  add('input', 'left:50%;top:10%;height:18%;background:#dde', { type: 'file', multiple: true, accept: '.txt', onchange: ({ target }) => take('chosen ', target.files) });
  add('input', 'left:0;top:10%;height:40%;background:#edd', { type: 'file', webkitdirectory: true, onchange: ({ target }) => take('folder ', target.files) });
  add('div', 'left:0;top:50%;height:50%;background:#9c9', {
    ondragover: event => event.preventDefault(),
    ondrop: event => { event.preventDefault(); take('dropped ', event.dataTransfer.files); },
  });
  add('a', 'left:50%;top:50%;height:50%;background:#fda', { href: 'data:application/x-test,saved', download: 'Bericht März.txt', onclick: () => show(3) });
  show(1);`;

/** Where Chromium's question about a folder has the button that goes on. */
const UPLOAD = [0.756, 0.327] as const;

const service = await startService(t, { BERTH_UPLOAD_MAX_MB: '1' });
const folder = await mkdtemp(join(tmpdir(), 'berth-folder-'));
t.teardown(() => rm(folder, { recursive: true }));
await mkdir(join(folder, 'My Tree/sub'), { recursive: true });
await writeFile(join(folder, 'My Tree/a.txt'), 'one');
await writeFile(join(folder, 'My Tree/sub/b.txt'), 'two');
await chmod(folder, 0o755);
const browser = await openBrowser(t, { folder });
const session = await startSession(service, FILES);
const viewer = await ViewerPage.open(browser, session.url);
const { page } = viewer;
await viewer.shows(1);
// From the beginning: when it is listened for just before a key is pressed, the key may be faster.
const choosers: FileChooser[] = [];
page.on('filechooser', chooser => void choosers.push(chooser));

const [{ user_id }] = (await service.api('GET', `/s/${session.id}/users`)).body as [{ user_id: string }];
const change = (call: string, ...roles: string[]) =>
  service.api('POST', `/s/${session.id}/${call}`, [[user_id], roles]);

/** Clicks on the session's page; `x` and `y` are fractions. */
async function click(x: number, y: number): Promise<void> {
  const { width, height } = page.viewportSize() as { width: number; height: number };
  await page.mouse.click(x * width, y * height);
}

/** Drags a file over the picture and drops it there. */
const drop = (name: string, text: string, x: number, y: number) =>
  page.evaluate(
    ([name, text, x, y]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name));
      const at = { clientX: x * innerWidth, clientY: y * innerHeight };
      const target = document.getElementById('session') as HTMLElement;
      const fire = (type: string) =>
        target.dispatchEvent(new DragEvent(type, { ...at, dataTransfer, bubbles: true, cancelable: true }));
      fire('dragenter');
      const offered = !(document.querySelector('.drop') as HTMLElement).hidden;
      fire('drop');
      return offered;
    },
    [name, text, x, y] as const,
  );

t.test('without the role nothing is accepted', async t => {
  t.equal(await drop('a.txt', 'a', 0.25, 0.75), false, 'no place to drop is shown');
  t.equal(await page.locator('.card:visible').count(), 0);
});

t.test('files dropped on the picture are dropped on the page below', async t => {
  await change('addRoles', 'file_upload', 'file_download');
  await until('drops are taken', () => drop('ä.txt', 'one', 0.25, 0.75));
  await viewer.shows(hash('dropped ä.txt:one'));
  await until('the card is gone', async () => (await page.locator('.card:visible').count()) === 0);
  t.equal(await page.locator('p.unseen[role=status]').textContent(), 'Sent: ä.txt', 'those who hear the page are told');
});

const card = page.getByRole('dialog', { name: 'The page asks for files' });

/** Clicks on the input of the session's page, which is answered by the player. */
const askForFiles = async () => {
  await click(0.75, 0.2);
  await card.waitFor();
};

t.test('a page that requests files gets those that the user chooses', async t => {
  const choose = card.getByRole('button', { name: 'Choose files' });
  await askForFiles();
  t.ok(await choose.evaluate(button => button === document.activeElement), 'it can be answered by keys');
  t.same(
    await card
      .locator('input')
      .evaluate(input => [(input as HTMLInputElement).accept, (input as HTMLInputElement).multiple]),
    ['.txt', true],
  );
  await page.keyboard.press('Enter');
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await (
    await until('the browser asks for files', () => choosers.at(-1))
  ).setFiles([file('x.txt', 'first'), file('y.txt', 'second')]);
  await viewer.shows(hash('chosen x.txt:first,y.txt:second'));
  await card.waitFor({ state: 'detached' });
  t.ok(await page.evaluate(() => document.activeElement?.id === 'session'), 'the keyboard is the session’s again');
});

t.test('a chooser can be cancelled with the keyboard', async () => {
  await askForFiles();
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });
});

t.test('a page that requests a folder gets the one that the user chooses', async () => {
  const card = page.getByRole('dialog', { name: 'The page asks for a folder' });
  await click(0.25, 0.3);
  await card.waitFor();
  const before = choosers.length;
  await card.getByRole('button', { name: 'Choose a folder' }).click();
  await (await until('the browser asks for a folder', () => choosers[before])).setFiles(join(folder, 'My Tree'));
  await card.waitFor({ state: 'detached' });
  // Chromium asks about it, over a darker page, and takes no click at first.
  const asks = async () => ((await viewer.color(20, 380))[1] ?? 255) < 150;
  await until('Chromium asks', asks);
  await until('it has an answer', async () => {
    await click(...UPLOAD);
    return until('the page is light', async () => !(await asks()), 700).catch(() => false);
  });
  await viewer.shows(hash('folder My Tree/a.txt:one,My Tree/sub/b.txt:two'));
});

t.test('the session’s downloads are offered, with name and size, and can be saved', async t => {
  await click(0.75, 0.8);
  const save = page.getByRole('link', { name: 'Save Bericht März.txt' });
  await save.waitFor();
  t.match(await page.locator('.downloads li').innerText(), /Bericht März\.txt[^]*5 B/);
  const download = page.waitForEvent('download');
  await save.click();
  t.equal((await download).suggestedFilename(), 'Bericht März.txt');
  t.equal(await save.evaluate(async link => (await fetch((link as HTMLAnchorElement).href)).text()), 'saved');

  await t.test('the list can be hidden and shown again', async t => {
    await page.getByRole('button', { name: 'Hide the downloads' }).click();
    t.equal(await save.isVisible(), false);
    await openBar(page);
    await page.getByRole('button', { name: 'Downloads', exact: true }).click();
    t.equal(await save.isVisible(), true);
  });
});

t.test('a PDF can be printed by the viewer’s browser', async t => {
  await shell(containerOf(service, session.id), 'printf %s %PDF-1.4 >/tmp/downloads/Invoice.pdf');
  const print = page.getByRole('button', { name: 'Print Invoice.pdf' });
  await print.waitFor();
  await page.evaluate(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective }) => (document.title = violatedDirective));
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      get: () => ({ focus: () => undefined, print: () => (document.title = 'printed') }),
    });
  });
  await print.click();
  await until('its dialog opens', async () => (await page.title()) === 'printed');
  t.match(await page.locator('iframe.printed').getAttribute('src'), /^blob:/);
});

t.test('a file that is too large is refused with a reason', async t => {
  await drop('large.bin', 'x'.repeat(2 ** 20 + 1), 0.25, 0.75);
  const note = page.getByRole('alert').filter({ hasText: 'at most 1 MiB' });
  await note.waitFor();
  t.pass(await note.innerText());
});

t.test('without the role the offers disappear', async t => {
  await change('removeRoles', 'file_download', 'file_upload');
  await until('nothing is shown', async () => (await page.locator('.downloads li').count()) === 0);
  t.equal(await drop('b.txt', 'b', 0.25, 0.75), false);
});
