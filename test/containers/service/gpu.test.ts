// tags: containers, slow
/**
 * A graphics card for Chromium, by a stand-in: a device that looks like a render node and draws nothing. What draws
 * instead of it tells which way Chromium took.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { BerthClient } from '../../../src/client/index.js';
import { buildImage, containerOf, docker, shell } from '../../fixtures/engines/docker.js';
import { imageName } from '../../fixtures/engines/images.js';
import { guard } from '../../fixtures/guard.js';
import { startSession } from '../../fixtures/pages/pixel-session.js';
import { startService, type Service } from '../../fixtures/services/service.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const run = promisify(execFile);
const GROUP = '44444';

const PAGE = `data:text/html,<script>
const gl = document.createElement('canvas').getContext('webgl');
const pixel = new Uint8Array(4);
if (gl) {
  gl.clearColor(0, 1, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
}
const by = gl?.getExtension('WEBGL_debug_renderer_info');
document.title = 'drawn: ' + pixel + ' by ' + (by && gl.getParameter(by.UNMASKED_RENDERER_WEBGL));
</script>`;

/** Makes the stand-in, a null device; it goes with the test. Takes root. */
async function standIn(t: Test): Promise<string> {
  const folder = `/dev/berth-test-${randomBytes(4).toString('hex')}`;
  const node = `${folder}/renderD128`;
  const remove = `rm -rf ${folder}`;
  const guardian = guard(remove, process.env);
  t.teardown(async () => {
    await run('sh', ['-c', remove]);
    guardian.dismiss();
  });
  await run('sh', ['-ec', `mkdir ${folder}; mknod ${node} c 1 3; chgrp ${GROUP} ${node}; chmod 660 ${node}`]);
  return node;
}

/** Builds the image of a host with a graphics card; gives the first part of its name. */
async function imagesWithDrivers(t: Test, node: string): Promise<string> {
  const prefix = `berth-test-gpu-${process.pid}`;
  t.teardown(async () => {
    const names = await docker('images', '--format', '{{.Repository}}:{{.Tag}}', '--filter', `reference=${prefix}*/*`);
    await docker('rmi', ...names.split('\n'));
  });
  for (const name of ['base', 'display'] as const) await docker('tag', imageName(name), `${prefix}/${name}`);
  await run('images/build.sh', ['chromium'], { env: { ...process.env, BERTH_IMAGE_PREFIX: prefix, BERTH_GPU: node } });
  return prefix;
}

/** Puts libavcodec's x264 in the place of the card's encoder; gives the first part of the images' names. */
async function imagesWithStandIn(prefix: string): Promise<string> {
  const build = await buildImage(
    ...['--target', 'build', '--build-arg', `PREFIX=${prefix}`, '-f', 'images/encoder/Dockerfile', 'images'],
  );
  const own = `${prefix}-stand-in`;
  await docker('tag', `${prefix}/base`, `${own}/base`);
  const args = ['--build-arg', `BUILD=${build}`, '--build-arg', `PREFIX=${prefix}`, '-t', `${own}/chromium`];
  await buildImage(...args, 'test/fixtures/media/stand-in-encoder');
  return own;
}

/** The lines of the service's log about the encoder. */
const encoders = (service: Service) =>
  service
    .log()
    .split('\n')
    .filter(line => line.includes('"encoder":'))
    .map(line => JSON.parse(line) as { encoder: string; reason?: string });

/** Starts a session with WebGL; gives its container and what its page drew. */
async function drawn(service: Service): Promise<{ container: string; title: string }> {
  const berth = new BerthClient({ url: service.url, apiKey: service.apiKey });
  const {
    session_id: id,
    embed_url,
    admin_token,
  } = await berth.start({ webgl: true, width: 640, height: 400, start_url: PAGE });
  const session = berth.session(embed_url, admin_token);
  const title = await until('the page has drawn', async () => {
    const tabs = await session.tabs.query({}).catch(() => []);
    return tabs.map(({ title = '' }) => title).find(title => title.startsWith('drawn'));
  });
  return { container: containerOf(service, id), title };
}

const deviceOf = (container: string) =>
  docker('inspect', container, '--format', '{{json .HostConfig.Devices}} {{json .HostConfig.GroupAdd}}');

const node = await standIn(t);
const prefix = await imagesWithDrivers(t, node);

t.test("Chromium gets the operator's card and may use it; WebGL is drawn whether or not it can", async t => {
  const service = await startService(t, { BERTH_GPU: node, BERTH_IMAGE_PREFIX: prefix });
  const { container, title } = await drawn(service);
  t.equal(
    await deviceOf(container),
    `[{"PathOnHost":"${node}","PathInContainer":"/dev/dri/renderD128","CgroupPermissions":"rw"}] ["${GROUP}"]`,
  );
  const inside = await shell(
    container,
    'id -u; id -G; cat /dev/dri/renderD128 && echo x > /dev/dri/renderD128 && echo usable; ls /dev/dri; grep -E "Cap(Eff|Bnd)|NoNewPrivs|Seccomp:" /proc/1/status',
  );
  t.match(inside.output, new RegExp(`^1000\n1000 ${GROUP}\nusable\nrenderD128\n`));
  t.match(inside.output, /CapEff:\s+0{16}\nCapBnd:\s+0{16}\nNoNewPrivs:\s+1\nSeccomp:\s+2$/m, 'nothing else is open');
  t.match(title, /^drawn: 0,255,0,255 by ANGLE \(.*Vulkan/);
  t.notMatch(title, 'SwiftShader', 'drawn by a driver of the system');

  // What looks like a card makes no frame: software does, and says why.
  const told = await until('the encoder is logged', () => encoders(service)[0]);
  t.match(told, {
    encoder: 'software',
    reason: /^The graphics card's encoder, berth-encoder, makes no frame \(h264_vaapi: .*; h264_nvenc: .*\)\.$/,
  });
  const { body: metrics } = await service.api('GET', '/metrics');
  t.match(metrics, /^berth_session_encoders\{encoder="software"\} 1$/m);
  const processes = await shell(container, 'cat /proc/[0-9]*/comm');
  t.match(processes.output, /^berth-display$/m);
  t.notMatch(processes.output, /^berth-encoder$/m, 'nothing of the trial is left');

  // The service looks at the card whenever it starts, also to remove what it has made.
  t.teardown(() => run('chmod', ['660', node]));
  await run('chmod', ['600', node]);
  const without = await drawn(service);
  t.match(without.title, /^drawn: 0,255,0,255 by .*SwiftShader/, 'a card that may not be used is left alone');
});

t.test('an encoder that passes its test encodes the session, and software goes on where it ends', async t => {
  const service = await startService(t, { BERTH_GPU: node, BERTH_IMAGE_PREFIX: await imagesWithStandIn(prefix) });
  const session = await startSession(
    service,
    'setInterval(() => (document.body.style.background = `hsl(${Date.now() / 10 % 360} 80% 50%)`), 30)',
  );
  const viewer = await StreamClient.join(session.url.replace(/^http/, 'ws').replace('?', '/stream?'));
  t.teardown(() => viewer.socket.terminate());
  await until('the picture moves', () => viewer.frames.length > 30);
  t.match(encoders(service), [{ encoder: 'libx264', reason: undefined }]);
  t.equal(viewer.frames[0]?.key, true);

  const container = containerOf(service, session.id);
  const before = viewer.frames.length;
  t.equal((await shell(container, 'kill -9 $(grep -l "^berth-encoder$" /proc/[0-9]*/comm | cut -d/ -f3)')).status, 0);
  await until('software goes on', () => viewer.frames.length > before + 30);
  t.ok(
    viewer.frames.slice(before).some(({ key }) => key),
    'with a key frame',
  );
  await until('it is logged', () => encoders(service).length === 2);
  t.match(encoders(service)[1], {
    encoder: 'software',
    reason: "The graphics card's encoder, libx264, ended.",
  });
});

/** Runs the script of `make check-gpu` itself: make would build everything first. */
async function check(t: Test, env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/check-gpu.ts'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  t.comment(output);
  const left = await docker('ps', '-aq', '--filter', `name=berth-test-card-${child.pid}`);
  t.equal(left, '', 'no container is left');
  const lines = [...output.matchAll(/^(PASS|FAIL|SKIP) {2}(.{14}) {2}(.*)$/gm)];
  const named = (part: number) => Object.fromEntries(lines.map(line => [(line[2] ?? '').trim(), line[part] ?? '']));
  return { code, verdicts: named(1), words: named(3) };
}

t.test('make check-gpu says what is missing, and tries what there is', async t => {
  const { code, verdicts, words } = await check(t, { BERTH_GPU: node, BERTH_IMAGE_PREFIX: prefix });
  t.same(verdicts, {
    'render node': 'PASS',
    image: 'PASS',
    group: 'PASS',
    'VA-API': 'SKIP',
    NVENC: 'SKIP',
    'test frame': 'FAIL',
    decoded: 'SKIP',
    encoder: 'SKIP',
    picture: 'PASS',
    WebGL: 'FAIL',
    'processor time': 'SKIP',
  });
  t.equal(code, 1);
  t.match(words['group'], `can open ${node}`);
  t.match(words['VA-API'], /^not encoded: h264_vaapi makes no frame/);
  t.match(words['picture'], /1280 x 720/);
});

t.test('without a card, or with images that were built without one, it says so and starts nothing', async t => {
  const off = await check(t, { BERTH_GPU: 'off' });
  t.equal(off.code, 1);
  t.equal(off.words['render node'], 'BERTH_GPU is off.');
  t.same(new Set(Object.values(off.verdicts)), new Set(['FAIL', 'SKIP']));
  const plain = await check(t, { BERTH_GPU: node });
  t.match(plain.words['image'], /has no encoder for graphics cards: build the images with BERTH_GPU set\.$/);
});

t.test('a browser on an engine without the card is refused with a reason', async t => {
  const service = await startService(t, { BERTH_GPU: '/dev/berth-test-nowhere/renderD128', BERTH_GPU_GROUP: GROUP });
  const { status, body } = await service.api('POST', '/v0/vm');
  t.same([status, body.code], [502, 'start_failed']);
  t.match(body.message, /^BERTH_GPU is "\/dev\/berth-test-nowhere\/renderD128", but .* no such device; .*\.$/);
});
