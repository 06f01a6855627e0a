import t from 'tap';
import { bounded } from '../../../src/agent/browser/tabs/bounded.js';
import { decodeAgentControl } from '../../../src/server/agent-link/from-agent.js';

const long = 'x'.repeat(100_000);

t.test('titles and addresses are shortened, icons omitted, and nothing else changed', async t => {
  const tab = {
    id: 7,
    active: true,
    title: 'Title',
    url: 'https://example.com/',
    mutedInfo: { muted: false },
    favIconUrl: 'data:,x',
  };
  t.same(bounded(tab), tab);
  t.same(bounded([tab, null, 'text', 7]), [tab, null, 'text', 7]);
  t.same(bounded({ tabs: [{ title: long, url: long, pendingUrl: long, favIconUrl: long }] }), {
    tabs: [{ title: 'x'.repeat(1024), url: 'x'.repeat(8192), pendingUrl: 'x'.repeat(8192) }],
  });
});

t.test('the service accepts the result', async t => {
  const args = [
    7,
    { title: long, favIconUrl: long },
    { id: 7, title: long, url: long, pendingUrl: long, favIconUrl: long },
  ];
  const event = { type: 'event', name: 'tabs.onUpdated', args };
  t.equal(decodeAgentControl(Buffer.from(JSON.stringify(event))), null);
  t.ok(decodeAgentControl(Buffer.from(JSON.stringify({ ...event, args: args.map(bounded) }))));
});
