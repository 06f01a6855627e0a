import t from 'tap';
import { BerthClient } from '../../src/client/index.js';
import { serveInProcess } from '../fixtures/services/in-process.js';
import { StreamClient } from '../fixtures/viewers/stream-client.js';

const { url, apiKey, agent } = await serveInProcess(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const berth = new BerthClient({ url, apiKey });

t.test('a console is started, its game controlled, and seats are assigned', async t => {
  const called: unknown[] = [];
  agent.onCall = (method, args) => {
    called.push([method, args]);
    if (method === 'console.disc') {
      return args.length === 0
        ? { error: { code: 'one_disc', message: 'This game has no other disc.' } }
        : { value: { disc: 2, labels: ['1', '2'] } };
    }
    return method === 'console.loadState'
      ? { error: { code: 'slot_empty', message: 'Nothing was saved in slot 2.' } }
      : {};
  };
  const { embed_url, admin_token } = await berth.startConsole({
    type: 'snes',
    room_url: 'http://127.0.0.1:9/game.sfc',
    fps: 30,
  });
  const { console, ...session } = berth.session(embed_url, admin_token);
  t.equal(session.sessionId, new URL(embed_url).pathname.slice(3));
  await console.saveState(1);
  await t.rejects(console.loadState(2), { status: 409, code: 'slot_empty', message: 'Nothing was saved in slot 2.' });
  await console.pause(true);
  await console.fastForward(false);
  await console.reset();
  t.same(called, [
    ['console.saveState', [1]],
    ['console.loadState', [2]],
    ['console.pause', [true]],
    ['console.fastForward', [false]],
    ['console.reset', []],
  ]);
  await t.rejects(console.saveState(10), { status: 400, code: 'invalid_body' });
  t.same(await console.disc(2), { disc: 2, labels: ['1', '2'] });
  await t.rejects(console.disc(), { status: 409, code: 'one_disc', message: 'This game has no other disc.' });
  await t.rejects(console.disc(0), { status: 400, code: 'invalid_body' });

  const viewer = await StreamClient.join(embed_url.replace(/^http/, 'ws').replace('?', '/stream?'));
  t.teardown(() => viewer.leave());
  const [{ user_id } = { user_id: '' }] = viewer.all('welcome');
  t.same(
    await console.assignSeat(3, user_id),
    [user_id, null, user_id, null].map((user_id, i) => ({ player: i + 1, user_id })),
  );
  t.match(await console.assignSeat(1, null), [{ player: 1, user_id: null }]);
  await t.rejects(console.assignSeat(1, 'nobody'), { status: 404, code: 'user_not_found' });
});

t.test('a browser session is not a console', async t => {
  const { embed_url, admin_token } = await berth.start();
  const { console } = berth.session(embed_url, admin_token);
  await t.rejects(console.reset(), { status: 409, code: 'not_a_console' });
  await t.rejects(console.assignSeat(1, null), { status: 409, code: 'not_a_console' });
});
