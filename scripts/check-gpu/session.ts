import { setTimeout as sleep } from 'node:timers/promises';
import { NalType, nalType, nalUnits } from '../../src/h264/nal.js';
import { parseSps } from '../../src/h264/sps.js';
import { BerthClient } from '../../src/client/index.js';
import { containerOf, shell } from '../../test/fixtures/engines/docker.js';
import type { Service } from '../../test/fixtures/services/service.js';
import { StreamClient } from '../../test/fixtures/viewers/stream-client.js';
import { until } from '../../test/fixtures/until.js';
import type { GpuTrial } from './trial.js';

const [WIDTH, HEIGHT, FPS] = [1280, 720, 60];
const WAIT_MS = 30_000;
const MEASURE_MS = 5000;
/** Milliseconds of Linux's unit of processor time. */
const TICK_MS = 10;

/** A page that moves all the time, and says which renderer draws WebGL. */
const PAGE = `data:text/html,<canvas width=1200 height=600></canvas><script>
const gl = document.querySelector('canvas').getContext('webgl');
const by = gl && gl.getExtension('WEBGL_debug_renderer_info');
document.title = 'drawn by ' + (by ? gl.getParameter(by.UNMASKED_RENDERER_WEBGL) : 'nothing');
(function draw(t) {
  if (gl) { gl.clearColor(t / 1000 % 1, t / 700 % 1, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT); }
  document.body.style.background = 'hsl(' + t / 20 % 360 + ' 80% 50%)';
  requestAnimationFrame(draw);
})(0);
</script>`;

interface Session {
  readonly id: string;
  readonly viewer: StreamClient;
  /** Each page's title. */
  titles(): Promise<string[]>;
}

/** Starts a session, with a viewer. */
async function start(service: Service, trial: GpuTrial): Promise<Session> {
  const berth = new BerthClient({ url: service.url, apiKey: service.apiKey });
  const started = await berth.start({ webgl: true, width: WIDTH, height: HEIGHT, fps: FPS, start_url: PAGE });
  const viewer = await StreamClient.join(started.embed_url.replace(/^http/, 'ws').replace('?', '/stream?'));
  trial.scope.teardown(() => viewer.socket.terminate());
  const session = berth.session(started.embed_url, started.admin_token);
  return {
    id: started.session_id,
    viewer,
    titles: async () => (await session.tabs.query({}).catch(() => [])).map(({ title = '' }) => title),
  };
}

const sessions = new WeakMap<GpuTrial, Promise<Session>>();

/** The session with the card, which all checks share. */
function shared(trial: GpuTrial): Promise<Session> {
  const known = sessions.get(trial) ?? trial.withCard().then(service => start(service, trial));
  sessions.set(trial, known);
  return known;
}

/** What encodes the session, as the service counts it. */
export async function sessionEncoder(trial: GpuTrial): Promise<string> {
  await shared(trial);
  const service = await trial.withCard();
  const line = await until(
    'the session says what encodes it',
    () =>
      service
        .log()
        .split('\n')
        .find(each => each.includes('"encoder":')),
    WAIT_MS,
  );
  const { encoder, reason } = JSON.parse(line) as { encoder: string; reason?: string };
  if (reason !== undefined) throw new Error(reason);
  return `Sessions are encoded by ${encoder}.`;
}

/** Reads the parameters of a key frame of the session. */
export async function picture(trial: GpuTrial): Promise<string> {
  const { viewer } = await shared(trial);
  const key = new Promise<Buffer>(resolve => {
    viewer.onFrame = (frame, message) => (frame.key ? resolve(message) : undefined);
  });
  viewer.socket.send(Buffer.of(0x23));
  const message = await Promise.race([key, sleep(WAIT_MS).then(() => Promise.reject(new Error('No key frame came.')))]);
  const units = nalUnits(message);
  const unit = units.find(each => nalType(each) === NalType.sps);
  const sps = unit && parseSps(unit);
  if (!sps) throw new Error('A key frame has no SPS before it.');
  const { width, height } = sps;
  if (width !== WIDTH || height !== HEIGHT)
    throw new Error(`The SPS says ${width} x ${height}, not ${WIDTH} x ${HEIGHT}.`);
  return `A viewer got a key frame of ${width} x ${height} pixels.`;
}

const SOFTWARE = /SwiftShader|llvmpipe|softpipe|nothing/i;

export async function webgl(trial: GpuTrial): Promise<string> {
  const { titles } = await shared(trial);
  const title = await until(
    'the page has drawn',
    async () => (await titles()).find(each => each.startsWith('drawn by ')),
    WAIT_MS,
  );
  const renderer = title.replace('drawn by ', '');
  if (SOFTWARE.test(renderer)) throw new Error(`WebGL is drawn in software: ${renderer}.`);
  return `WebGL is drawn by ${renderer}.`;
}

/** Compares the processor time of a moving picture's frames with that of software. */
export async function processorTime(trial: GpuTrial): Promise<string> {
  const card = await perFrame(await trial.withCard(), await shared(trial));
  const service = await trial.service({ BERTH_GPU: 'off', BERTH_INSTANCE: `${trial.instance}-off` });
  const software = await perFrame(service, await start(service, trial));
  const words = `${card.toFixed(1)} ms of processor time a frame with the card, ${software.toFixed(1)} ms without`;
  if (card >= software) throw new Error(`The card saves nothing: ${words}.`);
  return `Capture and encoding take ${words}.`;
}

/** Milliseconds of processor time that display helper and encoder take for a frame. */
async function perFrame(service: Service, { id, viewer }: Session): Promise<number> {
  const container = containerOf(service, id);
  await until('the picture moves', () => viewer.frames.length > FPS, WAIT_MS);
  const before = { ms: await processorMs(container), frames: viewer.frames.length };
  await sleep(MEASURE_MS);
  const frames = viewer.frames.length - before.frames;
  if (frames === 0) throw new Error('The picture stands still.');
  return ((await processorMs(container)) - before.ms) / frames;
}

async function processorMs(container: string): Promise<number> {
  const { output } = await shell(container, 'cat /proc/[0-9]*/stat 2>/dev/null');
  const ticks = [...output.matchAll(/^\d+ \(berth-(?:display|encoder)\) (.*)$/gm)].map(([, rest = '']) => {
    const fields = rest.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS;
}
