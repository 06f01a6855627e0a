// tags: containers
import t from 'tap';
import { until } from '../../fixtures/until.js';
import { CHROMIUM, connected, logged, prepared, start } from './prepared.js';
import { Service } from './service.js';

const AGENT = /^node .*agent\/load\.cjs/;
const X_SERVER = /^Xvfb /;

t.test('a browser that dies while it waits is not the session’s', async t => {
  const computer = await prepared(t);
  await computer.kill(CHROMIUM);
  await until('it is discarded', () => logged(computer, 'browser discarded'));
  const service = await Service.connect(t, computer);
  await until('the agent says that it waits', () => service.state === 'idle');
  service.close();
  const { seen, site } = await start(t, computer);
  t.match(seen, { history: 1 });
  t.equal(site.visits.length, 1);
});

t.test('a browser that dies while it waits is prepared again', async t => {
  const computer = await prepared(t);
  await computer.kill(CHROMIUM);
  await connected(computer, 2);
  await computer.kill(X_SERVER);
  await connected(computer, 3);
  const [pid] = await computer.pids(CHROMIUM);
  const { seen, site } = await start(t, computer);
  t.match(seen, { history: 1 });
  t.equal(site.visits.length, 1);
  t.same(await computer.pids(CHROMIUM), [pid]);
  t.ok(await logged(computer, 'page opened in the prepared browser'));
});

t.test('an agent that dies while the browser waits is followed by one that has it', async t => {
  const computer = await prepared(t);
  const [pid] = await computer.pids(CHROMIUM);
  await computer.kill(AGENT);
  const { seen } = await start(t, computer);
  t.match(seen, { history: 1 });
  t.same(await computer.pids(CHROMIUM), [pid]);
});

t.test('a prepared browser that dies later is restarted with its page', async t => {
  const computer = await prepared(t);
  const { site, service } = await start(t, computer);
  await computer.kill(CHROMIUM);
  await until('the page is loaded again', () => site.reports.length === 2);
  t.match(site.reports[1], { history: 1 });
  await service.browserAnswers();
  const [tab] = (await service.call('tabs.query', {})) as { id: number }[];
  await service.call('tabs.update', tab?.id, { url: 'http://localhost:8000/other' });
  const sessions = '/home/berth/profile/Default/Sessions/Session_*';
  const isWritten = async () => (await computer.exec('sh', '-c', `cat ${sessions} || true`)).includes('/other');
  await until(() => `the next page is written down: ${site.visits.map(({ path }) => path).join()}`, isWritten);
  site.visits.length = 0;
  await computer.kill(CHROMIUM);
  await until('it is back', () => site.visits.length > 0);
  await service.browserAnswers();
  t.same(
    site.visits.map(({ path }) => path),
    ['/other'],
    'as in any other session',
  );
});

t.test('a container that nobody takes ends with its browser', async t => {
  const computer = await prepared(t);
  const { code } = await computer.stop();
  t.equal(code, 0);
});
