/**
 * Latency added by the hub: the same frames through the hub and over a direct link to the agent, and the round trip of
 * an input that is answered by a frame.
 *
 *   npx tsx bench/hub-latency.ts                                   a fake agent, three processes
 *   npx tsx bench/hub-latency.ts <stream url> <agent host> <secret>   a running session with a moving picture
 */
import { setTimeout as wait } from 'node:timers/promises';
import { encodeInput } from '../src/protocol/input.js';
import { LINK_VERSION } from '../src/protocol/link-proof.js';
import { AGENT_PORT, MessageType } from '../src/protocol/message-type.js';
import type { AgentAddress } from '../src/server/agent-link/agent-connection.js';
import { StreamClient } from '../test/fixtures/viewers/stream-client.js';
import { startChild } from './lib/child.js';
import { connectDirect } from './lib/direct.js';
import { showLoad, summary, SUMMARY_HEAD, table } from './lib/report.js';
import { bench, type Scope } from './lib/scope.js';
import { median } from './lib/statistics.js';

const SECONDS = 10;
const ROUND_TRIPS = 300;

const nowUs = () => Number(process.hrtime.bigint() / 1000n);
const idOf = (message: Buffer) => message.readUInt32LE(2);
const capturedUs = (message: Buffer) => Number(message.readBigUInt64LE(6));

/** Addresses of the stream and of the agent. */
async function targets(scope: Scope, fps: number): Promise<{ stream: string; agent: AgentAddress }> {
  const [stream, host, secret] = process.argv.slice(2);
  if (stream !== undefined && host !== undefined && secret !== undefined) {
    return { stream, agent: { host, port: AGENT_PORT, secret, linkVersion: LINK_VERSION } };
  }
  const agent = await startChild<{ port: number; secret: string }>(
    scope,
    new URL('./lib/agent-process.ts', import.meta.url),
    [String(fps)],
  );
  const hub = await startChild<{ url: string }>(scope, new URL('./lib/hub-process.ts', import.meta.url), [
    String(agent.hello.port),
    agent.hello.secret,
  ]);
  return { stream: hub.hello.url, agent: { host: '127.0.0.1', ...agent.hello, linkVersion: LINK_VERSION } };
}

/** Milliseconds from capture to receipt of the same frames over both paths. */
async function compareFrames(scope: Scope): Promise<void> {
  const { stream, agent } = await targets(scope, 60);
  const viaHub = new Map<number, number>();
  const viaLink = new Map<number, number>();
  const note = (into: Map<number, number>) => (message: Buffer) => {
    if (message[0] === MessageType.video) into.set(idOf(message), (nowUs() - capturedUs(message)) / 1000);
  };
  const direct = await connectDirect(scope, agent);
  direct.onMessage = note(viaLink);
  const viewer = await StreamClient.join(stream, { audio: false });
  scope.teardown(() => viewer.leave());
  viewer.onFrame = (_frame, message) => note(viaHub)(message);
  await wait(SECONDS * 1000);
  const both = [...viaHub.keys()].filter(id => viaLink.has(id)).slice(30);
  const added = both.map(id => Number(viaHub.get(id)) - Number(viaLink.get(id)));
  console.log('a frame, from capture to receipt');
  table([
    SUMMARY_HEAD('ms'),
    summary(
      'direct link',
      both.map(id => Number(viaLink.get(id))),
      2,
    ),
    summary(
      'through the hub',
      both.map(id => Number(viaHub.get(id))),
      2,
    ),
    summary('added, same frame', added, 2),
  ]);
}

/** Milliseconds from an input to the frame that answers it, alternating between both paths. */
async function compareRoundTrips(scope: Scope): Promise<void> {
  const { stream, agent } = await targets(scope, 0);
  const direct = await connectDirect(scope, agent);
  const viewer = await StreamClient.join(stream, { audio: false });
  scope.teardown(() => viewer.leave());
  await viewer.saw();
  const times = { direct: [] as number[], hub: [] as number[] };
  const move = encodeInput({ type: 'move', x: 0.5, y: 0.5 });
  for (let i = 0; i < ROUND_TRIPS; i++) {
    const answered = new Promise<void>(resolve => {
      if (i % 2 === 0) direct.onMessage = () => resolve();
      else viewer.onFrame = () => resolve();
    });
    const started = performance.now();
    if (i % 2 === 0) direct.send(move);
    else viewer.send(move);
    await answered;
    times[i % 2 === 0 ? 'direct' : 'hub'].push(performance.now() - started);
    direct.onMessage = () => {};
    viewer.onFrame = undefined;
    await wait(10);
  }
  console.log('an input, until the frame that answers it');
  table([SUMMARY_HEAD('ms'), summary('direct link', times.direct, 2), summary('through the hub', times.hub, 2)]);
  console.log(`  the hub adds ${(median(times.hub) - median(times.direct)).toFixed(2)} ms to both ways together`);
}

await bench('What the hub adds', async scope => {
  showLoad();
  await compareFrames(scope);
  if (process.argv.length === 2) await compareRoundTrips(scope);
});
