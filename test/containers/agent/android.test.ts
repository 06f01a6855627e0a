// tags: containers
import t from 'tap';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

const ABOUT = `const about = async () => {
  const { userAgent, userAgentData: { mobile, platform, brands } } = navigator;
  const { formFactors } = await navigator.userAgentData.getHighEntropyValues(['formFactors']);
  return { userAgent, mobile, platform, brands, formFactors };
};`;

/** Pages say what their scripts, those of a worker among them, know of the browser, and what touches them. */
const PAGE = `<!doctype html><meta name="viewport" content="width=600"><body style="height:2000px"><script>
${ABOUT}
const tell = report => fetch('/report', { method: 'POST', body: JSON.stringify({ path: location.pathname, ...report }) });
for (const type of ['touchstart', 'touchend']) addEventListener(type, () => tell({ type }));
(async () => {
  const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(ABOUT)} + 'about().then(found => postMessage(found));'])));
  const told = await new Promise(resolve => (worker.onmessage = ({ data }) => resolve(data)));
  const media = query => matchMedia(query).matches;
  tell({
    page: await about(), worker: told, width: innerWidth, points: navigator.maxTouchPoints,
    coarse: media('(pointer: coarse)') && !media('(any-pointer: fine)'), hovers: media('(any-hover: hover)'),
  });
})();
</script>`;

interface Told {
  readonly userAgent: string;
  readonly mobile: boolean;
  readonly platform: string;
  readonly brands: unknown[];
  readonly formFactors: string[];
}

interface Report {
  readonly path: string;
  readonly type?: string;
  readonly page?: Told;
  readonly worker?: Told;
}

t.test('the Android preset is a phone in everything that pages see', async t => {
  const computer = await Computer.start(t);
  const service = await Service.connect(t, computer);
  const site = await computer.serve(PAGE);
  await service.run(launchOf({ start_url: 'http://localhost:8000/first', user_agent: 'chrome_android' }));
  const report = (path: string) =>
    until(`the report of ${path}`, () => (site.reports as Report[]).find(it => it.path === path));
  const phone = { mobile: true, platform: 'Android', formFactors: ['Mobile'] };

  const check = async (path: string) => {
    const first = await report(path);
    t.match(first.page, phone, `${path}: the page`);
    t.match(first.worker, phone, `${path}: its worker`);
    t.match(first.worker?.userAgent, /Android 10; K\) .* Mobile Safari/);
    t.same(first.worker?.brands, first.page?.brands);
    t.ok((first.page?.brands.length ?? 0) > 0, 'it has brands');
    t.match(
      first,
      { width: 600, coarse: true, hovers: false, points: 5 },
      `${path}: the viewport that it asks for, and fingers`,
    );
    const { headers } = site.visits.find(visit => visit.path === path) ?? {};
    t.match(headers, {
      'sec-ch-ua-mobile': '?1',
      'sec-ch-ua-platform': '"Android"',
      'user-agent': first.page?.userAgent,
    });
  };
  await check('/first');

  const touches = () => (site.reports as Report[]).filter(({ type }) => type !== undefined).map(({ type }) => type);
  await until('the page is touched', () => {
    service.input({ type: 'touch', phase: 'start', points: [{ id: 0, x: 0.5, y: 0.6 }] });
    service.input({ type: 'touch', phase: 'end', points: [] });
    return until('it tells', () => touches().includes('touchend'), 500).catch(() => false);
  });
  t.equal(touches()[0], 'touchstart');

  const [{ id } = { id: 0 }] = (await service.call('tabs.query', {})) as { id: number }[];
  await service.call('tabs.update', id, { url: 'http://localhost:8000/second' });
  await check('/second');
  await service.call('tabs.create', { url: 'about:blank' });
  const [fresh = { id: 0 }] = (await service.call('tabs.query', { active: true })) as { id: number }[];
  await service.call('tabs.update', fresh.id, { url: 'http://localhost:8000/third' });
  await check('/third');
});
