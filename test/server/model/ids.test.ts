import t from 'tap';
import { isSessionId, newSessionId } from '../../../src/server/model/index.js';

t.test('session IDs can be values of labels in any engine', async t => {
  const ids = Array.from({ length: 5000 }, () => newSessionId());
  t.equal(new Set(ids).size, ids.length);
  t.same(
    ids.filter(id => !isSessionId(id)),
    [],
  );
  // What Kubernetes wants of the value of a label.
  t.same(
    ids.filter(id => !/^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(id)),
    [],
  );
});
