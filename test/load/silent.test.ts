/** A viewer that acknowledges what it sees and answers heartbeats, but none of the pings that follow frames. */
import t from 'tap';
import type { WebSocket } from 'ws';
import { startSession } from '../fixtures/services/session-host.js';
import { StreamClient } from '../fixtures/viewers/stream-client.js';
import { until } from '../fixtures/until.js';

const FRAME_MS = 33;
/** Pings that follow frames have four bytes, others eight. */
const PROBE_BYTES = 4;

function ignoreProbes(socket: WebSocket): void {
  (socket as unknown as { _autoPong: boolean })._autoPong = false;
  socket.on('ping', data => data.length !== PROBE_BYTES && socket.pong(data));
}

t.test('is disconnected with 4003 after 20 s of a moving picture; the others stay', async t => {
  const { agent, url } = await startSession(t);
  const begun = performance.now();
  const silent = await StreamClient.join(url, { audio: false });
  ignoreProbes(silent.socket);
  const honest = await StreamClient.join(url, { audio: false });
  const paused = await StreamClient.join(url, { audio: false, video: false });
  let isFirst = true;
  const playing = setInterval(() => (agent.sendFrame({ key: isFirst }), (isFirst = false)), FRAME_MS);
  t.teardown(() => clearInterval(playing));
  t.equal(await silent.closed(), 4003);
  const ms = performance.now() - begun;
  t.ok(ms > 20_000 && ms < 45_000, `after ${Math.round(ms)} ms`);
  const { frame } = agent;
  await until('the picture goes on', () => Number(honest.last?.id) > frame);
  t.equal(paused.socket.readyState, paused.socket.OPEN);
});
