// tags: containers
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import t from 'tap';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

interface Asked {
  url: string;
  authorization: string | null;
}

/** A proxy that wants to know who asks, and answers everything by itself. */
const PROXY = `
require('http').createServer((request, response) => {
  const authorization = request.headers['proxy-authorization'] ?? null;
  console.log(JSON.stringify({ url: request.url, authorization }));
  if (authorization === null) return response.writeHead(407, { 'proxy-authenticate': 'Basic realm="x"' }).end();
  response.writeHead(200, { 'content-type': 'text/html' }).end('<title>through the proxy</title>');
}).listen(3128, '127.0.0.1', () => console.log('listening'));
`;

const PAC = 'function FindProxyForURL(url, host) { return "PROXY 127.0.0.1:3128"; }';

const computer = await Computer.start(t);
const service = await Service.connect(t, computer);
const asked: Asked[] = [];
const proxy = spawn('docker', ['exec', computer.name, 'node', '-e', PROXY], { stdio: ['ignore', 'pipe', 'ignore'] });
const lines = createInterface({ input: proxy.stdout });
// Chromium asks a proxy that is not there yet only once.
await once(lines, 'line');
lines.on('line', line => asked.push(JSON.parse(line) as Asked));
const http_proxy = { pac: PAC, username: 'me', password: 'p4ss:wörd' };
const expected = `Basic ${Buffer.from('me:p4ss:wörd').toString('base64')}`;

t.test('requests go through the proxy, with the credentials', async t => {
  await service.run(launchOf({ start_url: 'http://site.example/start', http_proxy }));
  const known = await until('the proxy is told', () => asked.find(({ authorization }) => authorization !== null));
  t.same(known, { url: 'http://site.example/start', authorization: expected });
  await service.browserAnswers();
  const title = async () => ((await service.call('tabs.query', {})) as { title: string }[])[0]?.title;
  await until('the page is there', async () => (await title()) === 'through the proxy');
});

t.test('after an agent crash only the service tells the browser the credentials', async t => {
  const from = asked.length;
  await computer.kill(/^node .*agent\/load\.cjs/);
  await computer.kill(/^\/usr\/lib\/chromium\/chromium (?!.*--type=)/);
  const next = await Service.connect(t, computer);
  await next.browserAnswers();
  next.tell(launchOf({ start_url: 'http://site.example/start', http_proxy }));
  await next.call('tabs.create', { url: 'http://site.example/after' });
  const answers = () => asked.slice(from).flatMap(({ authorization }) => authorization ?? []);
  await until('the proxy is told', () => answers()[0]);
  t.equal(answers()[0], expected);
});

t.test('the password appears neither in the policies nor in a command line', async t => {
  const files = await computer.exec(
    'sh',
    '-c',
    'cat /run/berth/policies/*.json; cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "',
  );
  t.match(files, /--load-extension/);
  t.notMatch(files, /p4ss/);
});
