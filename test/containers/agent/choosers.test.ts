// tags: containers
import t from 'tap';
import type { FileChooser } from '../../../src/protocol/generated/schemas.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

/**
 * Left an input for several pictures, right one for a file, below a place for drops and one without. What was clicked at
 * a place once takes no further click there.
 */
const PAGE = `<!doctype html><meta charset="utf-8"><title>files</title>
<style>body{margin:0} input,div{position:fixed;width:50%;height:50%;top:0;left:0} #one{left:50%} #drop{top:50%;background:#abc}</style>
<input type="file" id="many" multiple accept="image/*,.pdf"><input type="file" id="one"><div id="drop"></div>
<script>
const report = async (what, files) => fetch('/report', { method: 'POST', body: JSON.stringify({
  what, files: await Promise.all([...files].map(async file => [file.name, file.size, (await file.text()).slice(0, 20)])),
}) });
let clickedAt;
for (const input of [many, one]) {
  input.onclick = event => {
    if (event.clientY === clickedAt) event.preventDefault();
    clickedAt = event.clientY;
  };
  input.onchange = () => report(input.id, input.files);
  input.oncancel = () => report(input.id + ' cancelled', []);
}
drop.ondragover = event => event.preventDefault();
drop.ondrop = event => { event.preventDefault(); report('drop at ' + event.clientX + ',' + event.clientY, event.dataTransfer.files); };
report('loaded in ' + location.hostname, []);
// Of another site, and so shown by a process of its own, and in it one of a third.
const inner = { '/framed': 'http://frame.example:8000/twice', '/twice': 'http://inner.example:8000/' }[location.pathname];
if (inner !== undefined) {
  document.body.innerHTML = '<iframe style="position:fixed;inset:0;width:100%;height:100%;border:0"></iframe>';
  document.body.firstChild.src = inner;
}
</script>`;

const ESCAPE = 0xff1b;

interface Report {
  what: string;
  files: [name: string, size: number, text: string][];
}

const computer = await Computer.start(t, { hosts: ['frame.example', 'inner.example'] });
const site = await computer.serve(PAGE);
const service = await Service.connect(t, computer);
await service.run(launchOf({ start_url: 'http://localhost:8000/', kiosk: true }));
const reports = () => site.reports as Report[];
await until('the page is there', () => reports()[0]);

const choosers = () => service.heard.filter((message): message is FileChooser => message.type === 'file_chooser');

async function upload(name: string, text: string): Promise<string> {
  const answer = await computer.request('POST', `/uploads/${encodeURIComponent(name)}`, text);
  return ((await answer.json()) as { id: string }).id;
}

/** Heights to click at in the display, another one each time. */
let places = 0;
const newPlace = () => 0.05 + (places++ % 40) / 100;

/**
 * Clicks on an input, again where the page was not painted yet; resolves with the chooser that is told of. A click that
 * was only slow is not taken twice.
 */
async function openChooser(x: number): Promise<FileChooser> {
  const before = choosers().length;
  const y = newPlace();
  let triedAt = -Infinity;
  return until('a chooser', () => {
    if (performance.now() - triedAt > 1000) {
      triedAt = performance.now();
      service.click(x, y);
    }
    return choosers()
      .slice(before)
      .find(({ open }) => open);
  });
}

async function reported(what: RegExp, from: number): Promise<Report> {
  return until(`the page reports ${what}`, () =>
    reports()
      .slice(from)
      .find(report => what.test(report.what)),
  );
}

await service.browserAnswers();
await service.call('files.enable', true);

t.test('a page that requests files gets uploads', async t => {
  t.match(await openChooser(0.25), { open: true, multiple: true, accept: 'image/*,.pdf' });
  const from = reports().length;
  await service.call('files.choose', [await upload('ä.txt', 'first'), await upload('b.pdf', 'second')]);
  t.same((await reported(/^many$/, from)).files, [
    ['ä.txt', 5, 'first'],
    ['b.pdf', 6, 'second'],
  ]);
  t.same(choosers().at(-1), { type: 'file_chooser', open: false });
});

t.test('one that accepts a single file gets one', async t => {
  t.match(await openChooser(0.75), { open: true, multiple: false });
  const [a, b] = [await upload('a', 'a'), await upload('b', 'b')];
  await t.rejects(service.call('files.choose', [a, b]), { code: 'one_file_only' });
  await t.rejects(service.call('files.choose', ['unknown']), { code: 'upload_not_found' });
  const from = reports().length;
  await service.call('files.choose', [a]);
  t.same((await reported(/^one$/, from)).files, [['a', 1, 'a']]);
  await t.rejects(service.call('files.choose', [a]), { code: 'no_chooser' });
});

t.test('a chooser can be cancelled, by Escape too', async t => {
  for (const isCalled of [true, false]) {
    await openChooser(0.75);
    const from = reports().length;
    if (isCalled) await service.call('files.cancel');
    else service.press(ESCAPE);
    await reported(/one cancelled/, from);
    t.equal(choosers().at(-1)?.open, false);
  }
});

t.test('files are dropped where the page accepts them', async t => {
  const from = reports().length;
  await service.call('files.drop', [await upload('c.txt', 'dropped')], 0.25, 0.75);
  const { what, files } = await reported(/^drop/, from);
  t.same(files, [['c.txt', 7, 'dropped']]);
  t.equal(what, `drop at ${Math.floor(0.25 * 1279)},${Math.floor(0.75 * 719)}`);
});

t.test('a file input accepts drops too', async t => {
  const from = reports().length;
  await service.call('files.drop', [await upload('d.txt', 'input')], 0.75, 0.25);
  t.same((await reported(/^one$/, from)).files, [['d.txt', 5, 'input']]);
});

t.test('a drop elsewhere does not navigate the page away', async t => {
  const visits = site.visits.length;
  await service.call('files.drop', [await upload('e.html', '<b>')], 0.75, 0.75);
  const from = reports().length;
  await service.call('files.drop', [await upload('f.txt', 'still there')], 0.25, 0.75);
  t.same((await reported(/^drop/, from)).files, [['f.txt', 11, 'still there']]);
  t.equal(site.visits.length, visits, 'the page was not loaded again');
});

t.test('nothing can be dropped outside the page', async t => {
  await t.rejects(service.call('files.drop', [await upload('g.txt', 'beside')], 0.5, 1.5), { code: 'no_page' });
});

t.test('a chooser closes with its page, and the next page is ready', async t => {
  await openChooser(0.75);
  const from = reports().length;
  await service.call('tabs.reload');
  await until('it is closed', () => choosers().at(-1)?.open === false);
  await reported(/loaded/, from);
  t.equal((await openChooser(0.75)).open, true);
  await service.call('files.cancel');
});

t.test('frames of other sites, nested ones too, get uploads as pages do', async t => {
  const from = reports().length;
  const { id } = (await service.call('tabs.create', { url: 'http://localhost:8000/framed' })) as { id: number };
  await reported(/loaded in inner.example/, from);
  t.match(await openChooser(0.25), { open: true, multiple: true, accept: 'image/*,.pdf' });
  await service.call('files.choose', [await upload('framed.txt', 'inside')]);
  t.same((await reported(/^many$/, from)).files, [['framed.txt', 6, 'inside']]);
  await openChooser(0.75);
  await service.call('files.cancel');
  await reported(/one cancelled/, from);
  await openChooser(0.75);
  await service.call('tabs.remove', id);
  await until('it is closed with its tab', () => choosers().at(-1)?.open === false);
});

t.test('a new tab is ready as well', async t => {
  const from = reports().length;
  const { id } = (await service.call('tabs.create', { url: 'http://localhost:8000/' })) as { id: number };
  await reported(/loaded/, from);
  t.equal((await openChooser(0.25)).open, true);
  await service.call('tabs.remove', id);
  await until('it is closed', () => choosers().at(-1)?.open === false);
});
