import t from 'tap';
import { BerthClient } from '../../src/client/index.js';
import { serveInProcess } from '../fixtures/services/in-process.js';

const { url, apiKey, agent } = await serveInProcess(t);
const berth = new BerthClient({ url, apiKey });

t.test('an Android device is started and controlled', async t => {
  const called: unknown[] = [];
  agent.onCall = (method, args) => {
    called.push([method, args]);
    if (method === 'android.open') return { error: { code: 'app_not_available', message: 'It is not installed.' } };
    return method === 'android.logs' ? { value: 'a line' } : { value: {} };
  };
  const { embed_url, admin_token } = await berth.startAndroid({ app_id: 'org.example' });
  const { android } = berth.session(embed_url, admin_token);
  await android.key('recents');
  await android.rotate();
  await android.rotate('landscape');
  await t.rejects(android.open('org.other'), { status: 422, code: 'app_not_available' });
  await android.location(52.5, 13.4);
  t.equal(await android.logs(), 'a line');
  t.same(called, [
    ['android.key', ['recents']],
    ['android.rotate', []],
    ['android.rotate', ['landscape']],
    ['android.open', ['org.other']],
    ['android.location', [52.5, 13.4]],
    ['android.logs', []],
  ]);
  await t.rejects(android.key('anything' as 'back'), { status: 400, code: 'invalid_body' });
});
