// tags: containers
/** The address bar searches with the engine of the session, also in a browser that was prepared for it. */
import t from 'tap';
import type { ChromiumOptions } from '../../../src/protocol/generated/schemas.js';
import { ownPreparation } from '../../../src/protocol/preparation.js';
import { until } from '../../fixtures/until.js';
import { FOCUS_PAGE, typeIntoAddressBar } from './address-bar.js';
import { prepared } from './prepared.js';
import { launchOf, Service } from './service.js';

const RETURN = 0xff0d;

const ENGINES: [name: string, ChromiumOptions['search_engine'], address: string][] = [
  ['DuckDuckGo, unless another is wanted', undefined, 'https://duckduckgo.com/?q='],
  ['DuckDuckGo', 'duckduckgo', 'https://duckduckgo.com/?q='],
  ['Ecosia', 'ecosia', 'https://www.ecosia.org/search?q='],
  ['Google', 'google', 'https://www.google.com/search?q='],
  ['Startpage', 'startpage', 'https://www.startpage.com/sp/search?query='],
  ['Brave', 'brave', 'https://search.brave.com/search?q='],
];

for (const [name, search_engine, address] of ENGINES) {
  t.test(`the address bar searches with ${name}`, async t => {
    const launch = launchOf({ start_url: 'http://localhost:8000/start', ...(search_engine ? { search_engine } : {}) });
    const computer = await prepared(t, ownPreparation(launch));
    const service = await Service.connect(t, computer);
    const site = await computer.serve(FOCUS_PAGE);
    await service.run(launch);
    await until('the start page', () => site.visits.length > 0);
    await service.browserAnswers();
    await typeIntoAddressBar(service, site, 'quick fox');
    service.press(RETURN);
    // Nothing answers there: the page says so, under the address.
    const searched = await until('it searches', async () => {
      const [tab] = (await service.call('tabs.query', { active: true })) as { url?: string; pendingUrl?: string }[];
      const url = tab?.pendingUrl ?? tab?.url ?? '';
      return url.includes('quick') && url;
    });
    t.equal(searched.replace('%20', '+'), `${address}quick+fox`);
  });
}
