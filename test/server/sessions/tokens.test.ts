import t from 'tap';
import { isSessionId, newSessionId } from '../../../src/server/sessions/ids.js';
import { Tokens } from '../../../src/server/sessions/tokens.js';

t.test('session IDs are 22 safe characters and never repeat', async t => {
  const ids = Array.from({ length: 1000 }, newSessionId);
  t.equal(new Set(ids).size, 1000);
  t.ok(ids.every(isSessionId));
  t.notOk(isSessionId('../../../../etc/passwd'));
});

t.test('a token is good for one session and one purpose', async t => {
  const tokens = new Tokens('s'.repeat(32));
  const [one, two] = [newSessionId(), newSessionId()];
  t.equal(tokens.verify(one, tokens.of(one, 'embed')), 'embed');
  t.equal(tokens.verify(one, tokens.of(one, 'admin')), 'admin');
  t.equal(tokens.verify(one, tokens.of(one, 'link')), null);
  t.equal(tokens.verify(two, tokens.of(one, 'embed')), null);
  t.equal(tokens.verify(one, ''), null);
  t.equal(new Tokens('t'.repeat(32)).verify(one, tokens.of(one, 'embed')), null);
});
