/**
 * What the agent adds to a frame of an Android device and to a touch: the same stand-in for a device, once with the agent
 * in between, once spoken to directly by this process, in turns. Needs the image of `make image-android-device`.
 */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adbKeys } from '../src/adb/keys.js';
import { connectAdb } from '../src/adb/connect.js';
import { Control } from '../src/agent/android/scrcpy/control.js';
import { pushServer, startServer } from '../src/agent/android/scrcpy/server.js';
import { encodeInput } from '../src/protocol/input.js';
import { MessageType } from '../src/protocol/message-type.js';
import { Computer } from '../test/containers/agent/computer.js';
import { Service } from '../test/containers/agent/service.js';
import { launchAndroid } from '../test/fixtures/android/launch.js';
import { docker } from '../test/fixtures/engines/docker.js';
import { imageName } from '../test/fixtures/engines/images.js';
import { StandIn } from '../test/fixtures/android/stand-in.js';
import { until } from '../test/fixtures/until.js';
import { connectDirect } from './lib/direct.js';
import { showLoad, summary, SUMMARY_HEAD, table, verdict } from './lib/report.js';
import { bench, type Scope } from './lib/scope.js';
import { median } from './lib/statistics.js';

const ROUNDS = 300;
const PAUSE_MS = 25;
const SIZE = { width: 720, height: 1280 };

/** One way to a device. */
interface Way {
  readonly device: StandIn;
  /** Moves a finger to this column. */
  touch(x: number): void;
  /** Delays of frames, from the device's own time stamps to their arrival here, ms. */
  readonly frames: number[];
  /** When the touches were sent, ms since 1970. */
  readonly sent: number[];
}

// The device's time stamps are of the machine's monotonic clock, which containers share.
const nowUs = () => Number(process.hrtime.bigint() / 1000n);
const wallMs = () => performance.timeOrigin + performance.now();

async function byAgent(scope: Scope): Promise<Way> {
  const device = await StandIn.start(scope);
  const computer = await Computer.start(scope, { image: 'android-device' });
  const service = await Service.connect(scope, computer);
  service.watch();
  service.tell(launchAndroid(device.host));
  await until('it runs', () => service.state === 'running', 60_000);
  const link = await connectDirect(scope, computer.agent);
  const frames: number[] = [];
  link.onMessage = message => {
    if (message[0] === MessageType.video) frames.push((nowUs() - Number(message.readBigUInt64LE(6))) / 1000);
  };
  const touch = (x: number) => {
    const points = [{ id: 0, x: x / SIZE.width, y: 0.5 }];
    link.send(encodeInput({ type: 'touch', phase: frames.length === 0 ? 'start' : 'move', points }));
  };
  return { device, touch, frames, sent: [] };
}

async function directly(scope: Scope): Promise<Way> {
  const device = await StandIn.start(scope);
  const copy = `berth-test-bench-${process.pid}`;
  await docker('create', '--name', copy, imageName('android-device'));
  const file = join(tmpdir(), copy);
  scope.teardown(() => rm(file, { force: true }));
  await docker('cp', `${copy}:/opt/berth/scrcpy-server`, file).finally(() => docker('rm', copy));
  const adb = await connectAdb({ host: device.host, port: 5555 }, adbKeys(undefined), AbortSignal.timeout(10_000));
  scope.teardown(() => adb.close());
  await device.run('mkdir -p /data/local/tmp/berth');
  await pushServer(adb, file);
  const server = await startServer(adb, { sends: 'picture', largestSide: 1280, fps: 30, bitRate: 4_000_000 });
  if (server.controller === undefined) throw new Error('The server takes no input.');
  const control = new Control(server.controller);
  const frames: number[] = [];
  const reader = (await server.videoStream)?.stream.getReader();
  void (async () => {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
      if (read.value.type === 'data') frames.push((nowUs() - Number(read.value.pts ?? 0n)) / 1000);
  })().catch(() => undefined);
  const touch = (x: number) => control.touch(frames.length <= 1 ? 'down' : 'move', 0, { x, y: 640, size: SIZE });
  return { device, touch, frames, sent: [] };
}

/** Delays of touches, from here to the device's control socket, ms. */
async function touches({ device, sent }: Way): Promise<number[]> {
  const events = await device.events('touch');
  return events.slice(0, sent.length).map(({ time }, round) => time * 1000 - (sent[round] ?? 0));
}

await bench('What the agent adds to frames and touches of an Android device, milliseconds', async scope => {
  const ways = [await byAgent(scope), await directly(scope)] as const;
  for (const { device, frames } of ways) {
    await sleep(500);
    await device.forget();
    frames.length = 0;
  }
  showLoad();
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ways) {
      way.sent.push(wallMs());
      way.touch(10 + round);
      await sleep(PAUSE_MS);
    }
  }
  const [agent, direct] = ways;
  const [viaAgent, without] = [await touches(agent), await touches(direct)];
  table([
    SUMMARY_HEAD('ms'),
    summary('frame, from the device by the agent', agent.frames, 2),
    summary('frame, from the device', direct.frames, 2),
    summary('touch, by the agent to the device', viaAgent, 2),
    summary('touch, to the device', without, 2),
  ]);
  verdict('added to a frame, ms', median(agent.frames) - median(direct.frames), { atMost: 2 });
  verdict('added to a touch, ms', median(viaAgent) - median(without), { atMost: 3 });
});
