import { createHmac } from 'node:crypto';
import t from 'tap';
import { isSessionId, newSessionId } from '../../../src/server/model/ids.js';
import { Keyring } from '../../../src/server/secrets/keyring.js';
import { isInForce, Tokens } from '../../../src/server/model/tokens.js';

t.test('session IDs are 22 safe characters and never repeat', async t => {
  const ids = Array.from({ length: 1000 }, newSessionId);
  t.equal(new Set(ids).size, 1000);
  t.ok(ids.every(isSessionId));
  t.notOk(isSessionId('../../../../etc/passwd'));
});

const [OLD, NEW] = ['s'.repeat(32), 't'.repeat(32)];
const old = new Tokens(new Keyring(OLD));
const rotated = new Tokens(new Keyring(NEW, OLD));
const session = (tokens = old) => ({ id: newSessionId(), tokens: tokens.fresh });

t.test('a token is valid for one session and one purpose', async t => {
  const [one, two] = [session(), session()];
  t.match(old.check(one.id, old.of(one, 'embed')), { purpose: 'embed', generation: 0 });
  t.match(old.check(one.id, old.of(one, 'admin')), { purpose: 'admin', generation: 0 });
  t.equal(old.check(one.id, old.of(one, 'link')), null);
  t.equal(old.check(two.id, old.of(one, 'embed')), null);
  t.equal(old.check(one.id, ''), null);
  t.equal(new Tokens(new Keyring(NEW)).check(one.id, old.of(one, 'embed')), null);
});

t.test('a token that was never renewed does not change', async t => {
  const token = old.of({ id: 'an-id', tokens: old.fresh }, 'embed');
  t.equal(token, createHmac('sha256', OLD).update('berth/embed/an-id').digest('base64url'));
  t.match(token, /^[\w-]{43}$/);
});

t.test('only the last renewal of a token is valid', async t => {
  const first = session();
  const second = { ...first, tokens: old.renewed(first.tokens, ['embed']) };
  const third = { ...first, tokens: old.renewed(second.tokens, ['embed', 'admin']) };
  const inForce = (token: string, tokens: typeof first.tokens) => {
    const claim = old.check(first.id, token);
    return claim !== null && isInForce(claim, tokens);
  };
  const embeds = [first, second, third].map(each => old.of(each, 'embed'));
  t.equal(new Set(embeds).size, 3);
  t.match(embeds[2], /^2\.[\w-]{43}$/);
  for (const [now, { tokens }] of [first, second, third].entries()) {
    t.same(
      embeds.map(token => inForce(token, tokens)),
      [0, 1, 2].map(each => each === now),
    );
  }
  t.ok(inForce(old.of(first, 'admin'), second.tokens), 'the other one stays');
  t.notOk(inForce(old.of(first, 'admin'), third.tokens));
  t.equal(old.of(first, 'link'), old.of(third, 'link'), 'the link of a container cannot be renewed');
  const forged = [
    `1.${embeds[0]}`,
    embeds[1]?.replace('1.', '2.'),
    embeds[1]?.replace('1.', '01.'),
    '1.',
    '1.x',
    '999999999999.x',
  ];
  for (const token of forged) t.equal(old.check(first.id, String(token)), null, String(token));
});

t.test('tokens stay valid under an older secret until it is removed', async t => {
  const before = session();
  for (const purpose of ['embed', 'admin', 'link'] as const)
    t.equal(rotated.of(before, purpose), old.of(before, purpose));
  const claim = rotated.check(before.id, old.of(before, 'admin'));
  t.ok(claim !== null && isInForce(claim, before.tokens));
  const after = session(rotated);
  const forged = rotated.check(after.id, old.of({ id: after.id, tokens: old.fresh }, 'admin'));
  t.notOk(forged !== null && isInForce(forged, after.tokens), 'the old secret makes no tokens of newer sessions');
  const renewed = rotated.renewed(before.tokens, ['admin']);
  const stolen = rotated.check(
    before.id,
    old.of({ id: before.id, tokens: old.renewed(before.tokens, ['admin']) }, 'admin'),
  );
  t.notOk(stolen !== null && isInForce(stolen, renewed), 'nor of older ones whose tokens were renewed');
  const without = new Tokens(new Keyring(NEW));
  const worthless = without.check(before.id, without.of(before, 'admin'));
  t.notOk(worthless !== null && isInForce(worthless, before.tokens));
});
