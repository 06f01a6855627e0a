// tags: containers
import t from 'tap';
import type { Download, FileChooser } from '../../../src/protocol/generated/schemas.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

/** A button for each way to ask for files, one below the other. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>pickers</title>
<style>body{margin:0} html,body{height:100%} button,input{position:fixed;left:0;width:100%;height:10%}</style>
<script>
const report = (what, result) => fetch('/report', { method: 'POST', body: JSON.stringify({ what, result }) });
const texts = files => Promise.all(files.map(async file => [file.webkitRelativePath || file.name, await file.text()]));
const listed = async (folder, path = '') => {
  const names = [];
  for await (const [name, entry] of folder) {
    if (entry.kind === 'directory') names.push(...await listed(entry, path + name + '/'));
    else names.push(path + name + ': ' + await (await entry.getFile()).text());
  }
  return names.sort();
};
const save = async (name, text) => {
  const file = await showSaveFilePicker({ suggestedName: name });
  const writable = await file.createWritable();
  await writable.write(text.slice(0, 5));
  await new Promise(resolve => setTimeout(resolve, 1000));
  await writable.write(text.slice(5));
  await writable.close();
  return file.name;
};
const walk = async entry => {
  if (entry.isFile) return [entry.fullPath];
  const entries = await new Promise((resolve, reject) => entry.createReader().readEntries(resolve, reject));
  return (await Promise.all(entries.map(walk))).flat();
};
const WAYS = {
  open: async () => {
    const handles = await showOpenFilePicker({ multiple: true, types: [{ accept: { 'text/plain': ['.txt', '.md'] } }] });
    return texts(await Promise.all(handles.map(handle => handle.getFile())));
  },
  save: () => save('Notes März.txt', 'first and last'),
  folder: async () => listed(await showDirectoryPicker()),
};
const place = (element, index, label) => document.body.append(Object.assign(element, { style: 'top:' + 10 * index + '%' }));
addEventListener('DOMContentLoaded', () => {
  Object.entries(WAYS).forEach(([what, ask], index) => {
    const onclick = () => ask().then(result => report(what, result), error => report(what, error.name));
    place(Object.assign(document.createElement('button'), { textContent: what, onclick }), index);
  });
  const input = Object.assign(document.createElement('input'), { type: 'file', webkitdirectory: true });
  input.onchange = async () => report('input', await texts([...input.files]));
  input.oncancel = () => report('input', 'cancelled');
  place(input, 3);
  addEventListener('click', ({ clientY }) => clientY > 600 && report('clicked'));
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', async event => {
    event.preventDefault();
    const entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry());
    report('drop', (await Promise.all(entries.map(walk))).flat().sort());
  });
  const download = new URLSearchParams(location.search).get('download');
  if (download !== null) return Object.assign(document.createElement('a'), { href: '/' + download, download }).click();
  report('loaded');
});
</script><body>`;

const ROWS = { open: 0.05, save: 0.15, folder: 0.25, input: 0.35 };

interface Report {
  what: string;
  result: unknown;
}

/** Where Chromium's question about a folder has the button that goes on. */
const ALLOW = [0.62, 0.18] as const;

/** Where the preview of what is printed has it. */
const SAVE = [0.845, 0.853] as const;

const CONTROL = 0xffe3;

const computer = await Computer.start(t, { hosts: ['site.example'] });
const site = await computer.serve(PAGE);
const service = await Service.connect(t, computer);
await service.run(launchOf({ start_url: 'http://localhost:8000/', kiosk: true }));
const reports = () => site.reports as Report[];
await until('the page is there', () => reports()[0]);

const heard = <T extends { type: string }>(type: T['type']) =>
  service.heard.filter(message => message.type === type) as unknown as T[];
const choosers = () => heard<FileChooser>('file_chooser');
const downloads = () => heard<Download>('download');

async function id(method: 'uploads' | 'folders', name: string, text?: string): Promise<string> {
  const answer = await computer.request('POST', `/${method}/${name}`, text);
  return ((await answer.json()) as { id: string }).id;
}

/** Clicks on a button; resolves with what the page reports afterwards. */
function ask(what: keyof typeof ROWS): () => Promise<unknown> {
  const from = reports().length;
  service.click(0.5, ROWS[what]);
  return async () => {
    const report = await until(`the page reports ${what}`, () =>
      reports()
        .slice(from)
        .find(report => report.what === what),
    );
    return report.result;
  };
}

/** Clicks on a button; resolves with the chooser that is told of, and with what the page reports in the end. */
async function open(what: keyof typeof ROWS): Promise<{ chooser: FileChooser; reported: () => Promise<unknown> }> {
  const before = choosers().length;
  const told = () =>
    choosers()
      .slice(before)
      .find(({ open }) => open);
  let reported = ask(what);
  const chooser = await until('a chooser', async () => {
    const isTold = await until('it is told of', told, 3000).catch(() => null);
    // A click is lost while a question of Chromium's own is closing.
    if (isTold === null) reported = ask(what);
    return isTold;
  });
  return { chooser, reported };
}

async function fetched({ id }: Download): Promise<string> {
  return (await computer.request('GET', `/downloads/${id}`)).text();
}

await service.browserAnswers();
await until('the page takes clicks', () => {
  service.click(0.5, 0.95);
  return until('a click', () => reports().some(({ what }) => what === 'clicked'), 500).catch(() => false);
});

t.test('where nobody can choose files, a page is told at once', async t => {
  t.equal(await ask('open')(), 'AbortError');
  t.same(choosers(), []);
});

t.test('a file that a page saves is a download, once complete', async t => {
  t.equal(await ask('save')(), 'Notes März.txt');
  const first = await until('it is offered', () => downloads()[0]);
  t.match(first, { name: 'Notes März.txt', size: 14 });
  t.equal(await fetched(first), 'first and last');
  t.equal(await ask('save')(), 'Notes März (1).txt', 'it does not replace an earlier one');
  await until('it is offered', () => downloads().some(({ name }) => name === 'Notes März (1).txt'));
  t.equal(downloads().length, 2, 'each is offered once');
});

t.test('a page that opens files gets uploads', async t => {
  await service.call('files.enable', true);
  const { chooser, reported } = await open('open');
  t.same(chooser, { type: 'file_chooser', open: true, multiple: true, accept: '.txt,.md,.text' });
  await service.call('files.choose', [await id('uploads', 'a.txt', 'one'), await id('uploads', 'b.txt', 'two')]);
  t.same(await reported(), [
    ['a.txt', 'one'],
    ['b.txt', 'two'],
  ]);
});

/** A folder with a file and, deeper in it, another. */
async function folder(): Promise<string> {
  const top = await id('folders', 'My%20Tree');
  await id('uploads', `a.txt?folder=${top}`, 'one');
  await id('uploads', `.hidden?folder=${top}&path=sub/deeper`, 'two');
  return top;
}

/** Answers Chromium's question about a folder, until the page reports. */
const allowed = async (reported: () => Promise<unknown>) => {
  let isOver = false;
  const result = reported().finally(() => (isOver = true));
  await until('Chromium asks', async () => {
    service.click(...ALLOW);
    return until('the page reports', () => isOver, 500).catch(() => false);
  });
  return result;
};

t.test('an input for folders gets an uploaded folder, with the paths in it', async t => {
  const { chooser, reported } = await open('input');
  t.same(chooser, { type: 'file_chooser', open: true, multiple: false, directory: true });
  await t.rejects(service.call('files.choose', [await id('uploads', 'a.txt', 'one')]), { code: 'folder_only' });
  await service.call('files.choose', [await folder()]);
  t.same(await allowed(reported), [
    ['My Tree/a.txt', 'one'],
    ['My Tree/sub/deeper/.hidden', 'two'],
  ]);
});

t.test('a page that picks a folder finds what is in it', async t => {
  const { reported } = await open('folder');
  await service.call('files.choose', [await folder()]);
  t.same(await allowed(reported), ['a.txt: one', 'sub/deeper/.hidden: two']);
});

t.test('a folder is dropped as one', async t => {
  const from = reports().length;
  await service.call('files.drop', [await folder()], 0.5, 0.8);
  const drop = await until('the page reports it', () => reports().slice(from)[0]);
  t.same(drop, { what: 'drop', result: ['/My Tree/a.txt', '/My Tree/sub/deeper/.hidden'] });
});

t.test('files cannot leave the folder that they are sent into', async t => {
  const top = await folder();
  for (const [name, path] of [
    ['x.txt', '../../..'],
    ['..%2f..%2fx.txt', ''],
    ['x.txt', '/tmp/downloads'],
  ])
    t.equal((await computer.request('POST', `/uploads/${name}?folder=${top}&path=${path}`, 'x')).status, 201);
  const outside = 'find /tmp -name "*x.txt" -not -path "/tmp/uploads/.uploads/*/My Tree/*"';
  t.equal(await computer.exec('sh', '-c', outside), '');
  const unknown = await computer.request('POST', '/uploads/x.txt?folder=unknown', 'x');
  t.match([unknown.status, await unknown.json()], [404, { code: 'upload_not_found' }]);
});

t.test('what is printed is a PDF among the downloads', async t => {
  const before = downloads().length;
  service.input({ type: 'key', down: true, keysym: CONTROL });
  service.press('p'.charCodeAt(0));
  service.input({ type: 'key', down: false, keysym: CONTROL });
  // Saves from the preview, once it is there.
  const pdf = await until('it is offered', () => {
    service.click(...SAVE);
    return until('it is offered', () => downloads()[before], 1000).catch(() => false as const);
  });
  t.equal(pdf.name, 'pickers.pdf');
  t.match(await fetched(pdf), /^%PDF-/);
});

t.test('downloads of pages without TLS, and of any type, are not held back', async t => {
  const before = downloads().length;
  const names = ['page.html', 'setup.exe', 'script.sh', 'archive.zip', 'paper.pdf', 'package.deb'];
  const tabs: number[] = [];
  for (const name of names) {
    const url = `http://site.example:8000/?download=${name}`;
    tabs.push(((await service.call('tabs.create', { url })) as { id: number }).id);
  }
  const offered = () =>
    downloads()
      .slice(before)
      .map(({ name }) => name);
  await until('they are offered', () => offered().length === names.length);
  t.same(offered().sort(), names.sort());
  await service.call('tabs.remove', tabs);
});

t.test('the next agent answers for one that died', async t => {
  const { reported } = await open('open');
  await computer.kill(/^node .*load\.cjs/);
  const next = await Service.connect(t, computer);
  await until('the chooser is told of again', () => next.heard.some(({ type }) => type === 'file_chooser'));
  await next.call('files.choose', [await id('uploads', 'later.txt', 'still')]);
  t.same(await reported(), [['later.txt', 'still']]);
});
