import t from 'tap';
import { compact, type Rule } from '../../scripts/lib/adblock/rules.js';

const rule = (condition: Rule['condition'], action: Rule['action'] = { type: 'block' }, priority = 1): Rule => ({
  id: 7,
  action,
  condition,
  priority,
});

const redirect = (name: string): Rule['action'] => ({
  type: 'redirect',
  redirect: { extensionPath: `/elsewhere/${name}` },
});

t.test('rules that differ by their host only are merged', async t => {
  const thirdParty = (urlFilter: string) => rule({ urlFilter, domainType: 'thirdParty' }, { type: 'block' }, 2);
  const rules = compact(
    [
      rule({ urlFilter: '||b.example^' }),
      thirdParty('||c.example^'),
      rule({ urlFilter: '||a.example^' }),
      rule({ urlFilter: '||b.example^' }),
    ],
    new Set(),
  );
  t.same(rules, [
    { id: 1, action: { type: 'block' }, condition: { requestDomains: ['a.example', 'b.example'] } },
    {
      id: 2,
      action: { type: 'block' },
      condition: { domainType: 'thirdParty', requestDomains: ['c.example'] },
      priority: 2,
    },
  ]);
});

t.test('rules for parts of a host stay as they are', async t => {
  for (const urlFilter of [
    '||a.example/ads/',
    '||a.*^',
    '/ads.js',
    '|http://a.example^',
    '||localhost^',
    '||A.example^',
  ]) {
    t.same(compact([rule({ urlFilter })], new Set()), [{ id: 1, action: { type: 'block' }, condition: { urlFilter } }]);
  }
  const both = { urlFilter: '||a.example^', requestDomains: ['b.example'] };
  t.same(compact([rule(both)], new Set())[0]?.condition, both);
});

t.test('redirects go to existing resources, and block without one', async t => {
  const rules = compact(
    [rule({ urlFilter: '/a' }, redirect('here.js')), rule({ urlFilter: '/b' }, redirect('gone.js'))],
    new Set(['here.js']),
  );
  t.same(
    rules.map(({ action }) => action),
    [{ type: 'redirect', redirect: { extensionPath: '/redirects/here.js' } }, { type: 'block' }],
  );
});

t.test('notes for other programs and mail beacons are omitted', async t => {
  const beacon = rule({ urlFilter: 'open.mail.example.com', resourceTypes: ['image'] });
  const note = rule({ urlFilter: 'dummy.rule.adguard.com', resourceTypes: ['xmlhttprequest'] });
  t.same(compact([note, beacon], new Set()), []);
  t.equal(compact([rule({ urlFilter: '||mail.example.com^', resourceTypes: ['image'] })], new Set()).length, 1);
});
