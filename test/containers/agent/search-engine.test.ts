// tags: containers
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { until } from '../../fixtures/until.js';
import { FOCUS_PAGE, typeIntoAddressBar } from './address-bar.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

const RETURN = 0xff0d;

/** A session whose address bar asks a server in it, and what it asked for. */
async function start(t: { teardown(handler: () => unknown): void }, withSuggestions: boolean) {
  const computer = await Computer.start(t);
  const service = await Service.connect(t, computer);
  const site = await computer.serve(FOCUS_PAGE);
  const engine = (path: string) => `http://localhost:8000/${path}?q={searchTerms}`;
  const search_engine = {
    name: 'Own',
    keyword: 'own',
    url: engine('search'),
    ...(withSuggestions ? { suggestions_url: engine('suggest') } : {}),
  };
  await service.run(launchOf({ start_url: 'http://localhost:8000/start', search_engine }));
  await until('the start page', () => site.visits.length > 0);
  await service.browserAnswers();
  const type = (text: string) => typeIntoAddressBar(service, site, text);
  return { service, type, asked: () => site.visits.map(({ path }) => path) };
}

/** What the address bar needs to ask for suggestions many times over, ms: nothing tells that it does not ask. */
const SILENCE_MS = 3000;

t.test('the address bar uses a custom search engine and its suggestions', async t => {
  const { service, type, asked } = await start(t, true);
  await type('quick fox');
  await until('suggestions are asked for', () => asked().some(path => path.startsWith('/suggest?q=quick')));
  service.press(RETURN);
  await until('it searches', () => asked().some(path => /^\/search\?q=quick(\+|%20)fox$/.test(path)));
  t.pass('both were asked');
});

t.test('without a suggestions URL there are no suggestions', async t => {
  const { service, type, asked } = await start(t, false);
  await type('quick fox');
  await sleep(SILENCE_MS);
  service.press(RETURN);
  await until('it searches', () => asked().some(path => path.startsWith('/search?q=quick')));
  t.same(
    asked().filter(path => !/^\/(start|focused|blurred|search)/.test(path)),
    [],
  );
});
