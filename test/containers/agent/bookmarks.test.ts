// tags: containers
import t from 'tap';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

interface Node {
  name: string;
  url?: string;
  children?: Node[];
}

const computer = await Computer.start(t);
const service = await Service.connect(t, computer);

/** Asks the agent to append bookmarks. */
async function append(html: string) {
  const response = await computer.request('POST', '/bookmarks', html);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** How many bookmarks there are in all, folders not counted. */
const count = (nodes: readonly Node[]): number =>
  nodes.reduce((sum, { url, children = [] }) => sum + (url === undefined ? count(children) : 1), 0);

/** What Chromium keeps in a folder, as soon as it holds these many: it may write down what it has amid an append. */
const kept = (root: 'bookmark_bar' | 'other', bookmarks: number) =>
  until(`${bookmarks} in ${root}`, async () => {
    const text = await computer.exec('sh', '-c', 'cat /home/berth/profile/Default/Bookmarks || true');
    if (text === '') return false;
    const { children = [] } = (JSON.parse(text) as { roots: Record<string, Node> }).roots[root] ?? {};
    return count(children) === bookmarks && children;
  });

const plain = ({ name, url, children }: Node): unknown =>
  url === undefined ? { [name]: children?.map(plain) } : `${name} ${url}`;

t.test('bookmarks are appended once the browser is up', async t => {
  service.tell(launchOf());
  const bookmarks =
    '<DL><DT><H3>News</H3><DL><DT><A HREF="https://a.example/">A</A></DL><DT><A HREF="https://b.example/">B</A></DL>';
  t.same(await append(bookmarks), { status: 200, body: { appended: 2 } });
  t.same((await kept('bookmark_bar', 2)).map(plain), [{ News: ['A https://a.example/'] }, 'B https://b.example/']);
});

t.test('those of a bookmarks bar go there, others beside it, after existing ones', async t => {
  const toolbar = '<DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Bar</H3><DL><DT><A HREF="https://c.example/">C</A></DL>';
  t.same(await append(`<DL>${toolbar}<DT><A HREF="https://d.example/">D</A></DL>`), {
    status: 200,
    body: { appended: 2 },
  });
  t.equal((await kept('bookmark_bar', 3)).map(plain)[2], 'C https://c.example/');
  t.same((await kept('other', 1)).map(plain), ['D https://d.example/']);
});

t.test('many keep their order', async t => {
  const all = Array.from({ length: 1500 }, (_, i) => `https://e.example/${i}`);
  t.same(await append(`<DL><DT><H3>E</H3><DL>${all.map(url => `<DT><A HREF="${url}">e</A>`).join('')}</DL></DL>`), {
    status: 200,
    body: { appended: 1500 },
  });
  const folder = (await kept('bookmark_bar', 1503))[3];
  t.same(
    folder?.children?.map(({ url }) => url),
    all,
  );
});

t.test('malformed input appends nothing, and oversized input is refused', async t => {
  t.same(await append('nonsense'), { status: 200, body: { appended: 0 } });
  t.match(await append('x'.repeat((5 << 20) + 1)), { status: 413, body: { code: 'too_large' } });
  const stranger = await fetch(computer.url('/bookmarks'), {
    method: 'POST',
    headers: { authorization: 'Bearer wrong' },
    body: '',
  });
  t.equal(stranger.status, 401);
});
