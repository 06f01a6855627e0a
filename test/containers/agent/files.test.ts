// tags: containers, alone
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import type { Download } from '../../../src/protocol/generated/schemas.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

/** Saves a file when it is clicked for the first time. */
const SAVING_PAGE = `<!doctype html><meta charset="utf-8"><body><script>
addEventListener('click', () => Object.assign(document.createElement('a'), {
  href: URL.createObjectURL(new Blob(['<b>' + 'x'.repeat(100000)])), download: 'naïve "1".html',
}).click(), { once: true });
</script>`;

/** Appends six lines, each long before a file counts as complete; tells the longest time between two, in milliseconds. */
const WRITE_SLOWLY = `
const { appendFileSync } = require('fs');
let left = 6, longest = 0, last = performance.now();
const timer = setInterval(() => {
  const begun = performance.now();
  appendFileSync('/tmp/downloads/' + process.argv[1], 'line\\n');
  longest = Math.max(longest, performance.now() - last);
  last = begun;
  if (--left > 0) return;
  clearInterval(timer);
  console.log(longest);
}, 100);`;

/** A file that rests for so long may count as complete. */
const RESTS_MS = 240;

async function start(t: Test, page = '<p>nothing') {
  const computer = await Computer.start(t);
  await computer.serve(page);
  const service = await Service.connect(t, computer);
  await service.run(launchOf({ start_url: 'http://localhost:8000/', kiosk: true }));
  const request = computer.request.bind(computer);
  const shell = (script: string) => computer.exec('sh', '-c', script);
  return { computer, service, request, shell };
}

const downloads = (service: Service) =>
  service.heard.filter((message): message is Download => message.type === 'download');

t.test('downloads', async t => {
  const { computer, service, request, shell } = await start(t, SAVING_PAGE);

  await t.test("a page's download is offered once complete", async t => {
    const first = await until('a download', () => {
      service.click(0.5, 0.5);
      return until('it is offered', () => downloads(service)[0], 500).catch(() => false as const);
    });
    t.match(first, { name: 'naïve _1_.html', size: 100_003 });
    const response = await request('GET', `/downloads/${first.id}`);
    t.equal(response.headers.get('content-type'), 'application/octet-stream');
    t.match(
      response.headers.get('content-disposition'),
      /^attachment; filename="na_ve .*"; filename\*=UTF-8''na%C3%AFve/,
    );
    t.equal((await response.text()).length, first.size);
    t.notMatch(await shell('ls /tmp/downloads'), /crdownload/);
  });

  await t.test('another link is told of it too, and it is listed', async t => {
    const another = await Service.connect(t, computer);
    await until('the download is told', () => downloads(another)[0]);
    const { downloads: listed } = (await (await request('GET', '/downloads')).json()) as { downloads: Download[] };
    t.same(listed, downloads(another));
  });

  await t.test('a file that is written slowly is offered once, complete', async t => {
    let file = 0;
    // By one program: each that a shell starts has to wait for its turn on a busy machine. So may this one, and then
    // it has not written as it was to.
    await until(
      'a file is written steadily',
      async () => Number(await computer.exec('node', '-e', WRITE_SLOWLY, `slow${++file}.txt`)) < RESTS_MS,
    );
    const offered = () => downloads(service).filter(({ name }) => name === `slow${file}.txt`);
    await until('it is offered', () => offered().length > 0);
    await shell('echo last >/tmp/downloads/next.txt');
    await until('the next one is offered', () => downloads(service).at(-1)?.name === 'next.txt');
    t.match(offered(), [{ size: 30 }]);
    t.equal(offered().length, 1);
  });

  await t.test('partial files, symlinks, folders and pipes are not offered', async t => {
    const before = downloads(service).length;
    await shell(
      'cd /tmp/downloads; ln -s /etc/passwd passwd; mkdir folder; mkfifo pipe; echo x >a.crdownload; echo x >.hidden;' +
        'echo x >b.zip.crdownload; echo x >b.zip; sleep 1; echo last >last.txt',
    );
    await until('the last one is offered', () => downloads(service).some(({ name }) => name === 'last.txt'));
    t.same(
      downloads(service)
        .slice(before)
        .map(({ name }) => name),
      ['last.txt'],
    );
  });

  await t.test('an offer is withdrawn when its file is gone or no longer valid', async t => {
    const { id } = downloads(service).at(-1) as Download;
    await shell('cd /tmp/downloads; rm last.txt; ln -s /etc/passwd last.txt');
    t.equal((await request('GET', `/downloads/${id}`)).status, 404);
    for (const wrong of ['..%2f..%2fetc%2fpasswd', 'slow1.txt', '%00', 'x'.repeat(200)]) {
      t.equal((await request('GET', `/downloads/${wrong}`)).status, 404, wrong);
    }
    t.equal((await request('GET', '/downloads/%')).status, 400, 'not encoded correctly');
  });
});

t.test('uploads', async t => {
  const { request, shell } = await start(t);
  const content = Buffer.alloc(300_000, 'berth');

  await t.test('a file keeps its name and content', async t => {
    const response = await request('POST', '/uploads/a%20b.txt', content);
    t.equal(response.status, 201);
    const { id } = (await response.json()) as { id: string };
    t.equal((await shell(`wc -c < "/tmp/uploads/.uploads/${id}/a b.txt"`)).trim(), '300000');
  });

  await t.test('a name cannot leave its folder', async t => {
    for (const name of ['..%2f..%2fhome%2fberth%2fx', '.profile', 'a%00b', '%0d%0a', 'x'.repeat(2000)]) {
      t.equal((await request('POST', `/uploads/${name}`, Buffer.from('x'))).status, 201, name.slice(0, 30));
    }
    for (const name of ['..', '%2e%2e']) {
      t.equal((await request('POST', `/uploads/${name}`, Buffer.from('x'))).status, 404, `${name}: another address`);
    }
    t.equal(await shell('find /home/berth /tmp -maxdepth 1 -name x'), '');
    t.equal(await shell('find /tmp/uploads/.uploads -type f | grep -v "/.uploads/[A-Za-z0-9_-]*/[^/]*$" || true'), '');
  });

  await t.test('the oldest files make room for new ones', async t => {
    for (let i = 0; i < 105; i++) await request('POST', `/uploads/${i}`, Buffer.from('x'));
    t.equal((await shell('ls /tmp/uploads | wc -l; ls /tmp/uploads/.uploads | wc -l')).trim(), '100\n100');
  });

  await t.test('an upload that is cut off leaves nothing behind', async t => {
    const before = await shell('ls /tmp/uploads | wc -l');
    const aborting = new AbortController();
    const endless = new Readable({ read() {} });
    endless.push(Buffer.alloc(1000));
    const sent = request('POST', '/uploads/endless', endless, aborting.signal).catch(() => undefined);
    const files = async () => (await shell('ls /tmp/uploads/.uploads/*/endless 2>/dev/null || true')).trim();
    await until('it has begun', files);
    aborting.abort();
    await sent;
    await until('its file is gone', async () => (await files()) === '');
    t.equal(await shell('ls /tmp/uploads | wc -l'), before);
  });
});
