import t from 'tap';
import { type Privacy, PrivacyState } from '../../../src/web/sdk/privacy.js';

t.test('who has the session in private is told once it is known, and on changes only', async t => {
  const told: Privacy[] = [];
  const state = new PrivacyState(privacy => told.push(privacy));
  state.welcome('me');
  state.settle();
  t.same(told, [], 'nobody has');

  state.update({ type: 'privacy', user_id: 'her' });
  state.settle();
  t.equal(state.hidden, true);
  state.welcome('me again');
  state.update({ type: 'privacy', user_id: 'her' });
  state.settle();
  t.same(told.splice(0), [{ userId: 'her', hidden: true }], 'a reconnection changes nothing');

  state.update({ type: 'privacy', user_id: 'me again' });
  state.settle();
  t.equal(state.hidden, false);
  state.welcome('me, later');
  t.equal(state.hidden, false);
  state.settle();
  t.same(
    told,
    [
      { userId: 'me again', hidden: false },
      { userId: null, hidden: false },
    ],
    'it ended while this viewer was away',
  );
});
