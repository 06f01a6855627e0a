// tags: containers
import t, { type Test } from 'tap';
import { containerOf } from '../../fixtures/engines/docker.js';
import { startService } from '../../fixtures/services/service.js';
import { serveIn } from '../../fixtures/pages/site-in-container.js';
import { until } from '../../fixtures/until.js';

/** Paths that the filters know, on any host, and one that they do not. */
const ADS = ['/ads/300.html', '/js/nr-analytics.js'];
const OWN = '/shop.js';

const PAGE = `<!doctype html><title>shop</title>
${[...ADS, OWN].map(path => `<script src="${path}"></script>`).join('\n')}
<script>fetch('/report', { method: 'POST', body: '1' })</script>`;

const service = await startService(t);

/** What a page in a session that was started so asks its server for. */
async function asksFor(t: Test, options: object): Promise<string[]> {
  const { status, body } = await service.api('POST', '/v0/vm', options);
  t.equal(status, 201);
  const site = await serveIn(containerOf(service, body.session_id), PAGE);
  const opened = await service.api('POST', `/s/${body.session_id}/tabs.update`, [
    null,
    { url: 'http://localhost:8000/' },
  ]);
  t.equal(opened.status, 200);
  await until('the page is through', () => site.reports.length > 0);
  await service.api('DELETE', `/v0/vm/${body.session_id}`);
  const asked = site.visits.map(({ path }) => path);
  // Scripts are asked for by several connections, whose order is by chance.
  return [...ADS, OWN].filter(path => asked.includes(path));
}

t.test('only sessions without an ad blocker request ads', async t => {
  t.same(await asksFor(t, {}), [...ADS, OWN]);
  t.same(await asksFor(t, { adblock: true }), [OWN]);
  t.same(await asksFor(t, { ublock: true }), [OWN], 'by its former name');
});
