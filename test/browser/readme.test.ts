// tags: containers
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { decode } from 'fast-png';
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';

const run = promisify(execFile);
const RED_PAGE = 'data:text/html,<body bgcolor=red>';

const service = await startService(t);
const snippets = [...(await readFile('README.md', 'utf8')).matchAll(/^```sh\n([^]*?)^```/gm)].map(
  ([, text = '']) => text,
);

/** Pastes the README's commands that begin so into a shell beside the service's key; the page is one without network. */
async function paste(beginning: string, folder: string): Promise<string> {
  const snippet = snippets.find(text => text.startsWith(beginning));
  if (snippet === undefined) throw new Error(`no commands of the README begin with ${beginning}`);
  const commands = snippet.replaceAll('http://localhost:8080', service.url).replaceAll('https://example.com', RED_PAGE);
  return (await run('sh', ['-c', commands], { cwd: folder })).stdout;
}

t.test('starting the first session returns its address', async t => {
  const answer = await paste('curl', t.testdir({ '.berth': { 'api-key': service.apiKey } }));
  t.same(Object.keys(JSON.parse(answer) as object).sort(), ['admin_token', 'embed_url', 'session_id']);
});

t.test('the page shows a session as pasted', async t => {
  const folder = t.testdir({ '.berth': { 'api-key': service.apiKey } });
  await paste('embed_url=', folder);
  const browser = await openBrowser(t, { folder });
  const context = await browser.newContext({ viewport: { width: 1300, height: 760 } });
  t.teardown(() => context.close());
  const page = await context.newPage();
  await page.goto(pathToFileURL(`${folder}/page.html`).href);
  await until('the page in the session is red', async () => {
    const { width, channels, data } = decode(await page.screenshot());
    const at = (500 * width + 640) * channels;
    return [...data.slice(at, at + 3)].every((value, index) => Math.abs(value - (index === 0 ? 255 : 0)) < 12);
  });
});
