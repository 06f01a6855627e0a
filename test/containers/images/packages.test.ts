// tags: containers, waiting, slow
/** How the images' packages stay new, seen at the one with the fewest: the others are built in the same way. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { docker } from '../../fixtures/engines/docker.js';
import { imageName } from '../../fixtures/engines/images.js';
import { metric, startService } from '../../fixtures/services/service.js';

const run = promisify(execFile);
const DAY_MS = 86_400_000;
const PREFIX = `berth-test-packages-${process.pid}`;
const WHAT = 'android-device';
const IMAGE = `${PREFIX}/${WHAT}`;

/** Runs images/build.sh with names of this test, and returns what it printed. */
async function build(env: Record<string, string> = {}): Promise<string> {
  const { stdout, stderr } = await run('images/build.sh', [WHAT], {
    env: { ...process.env, BERTH_IMAGE_PREFIX: PREFIX, ...env },
  });
  return stdout + stderr;
}

const inspect = (image: string, format: string) => docker('image', 'inspect', image, '--format', format);
const packagesOf = async (image: string) => Date.parse(await inspect(image, '{{index .Config.Labels "berth.packages-of"}}'));

/** A folder with one program, to be found before the real one. */
async function standIn(t: Test, name: string, script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-test-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), `#!/bin/sh\n${script}`);
  await chmod(join(folder, name), 0o755);
  return `${folder}:${process.env['PATH']}`;
}

t.before(() => build());
t.after(async () => {
  const names = await docker('images', '--format', '{{.Repository}}:{{.Tag}}', '--filter', `reference=${PREFIX}/*`);
  await docker('rmi', '--force', ...names.split('\n'));
});

t.test('images built at one time are one image, tagged by version and content', async t => {
  t.equal(await inspect(IMAGE, '{{.Id}}'), await inspect(imageName(WHAT), '{{.Id}}'));
  t.match(await inspect(IMAGE, '{{.RepoTags}}'), new RegExp(`${IMAGE}:\\d+\\.\\d+\\.\\d+-[0-9a-f]{12}`));
  t.match(await build(), `image ${IMAGE} is up to date`);
});

t.test('packages older than a week are fetched again, and a shorter age can be set', async t => {
  const fetched = await packagesOf(IMAGE);
  const later = async (days: number, env: Record<string, string> = {}) => {
    const now = Math.floor((fetched + days * DAY_MS) / 1000);
    const script = `case "$*" in *-d*) exec /bin/date "$@" ;; *) exec /bin/date -d @${now} "$@" ;; esac`;
    return build({ PATH: await standIn(t, 'date', script), ...env });
  };
  t.match(await later(6.9), `image ${IMAGE} is up to date`);
  t.match(await later(2, { BERTH_IMAGE_MAX_AGE_DAYS: '1' }), `building image ${IMAGE}`);
  t.equal(await packagesOf(IMAGE), fetched + 2 * DAY_MS, 'the label says when they were fetched');
  await t.rejects(build({ BERTH_IMAGE_MAX_AGE_DAYS: 'soon' }), { message: /must be a whole number from 1/ });
});

t.test('where newer packages are not available the image stays as it is', async t => {
  const before = await inspect(IMAGE, '{{.Id}}');
  const noBuild = await standIn(t, 'docker', `[ "$1" != build ] || exit 1\nexec ${await which('docker')} "$@"`);
  t.match(await build({ PATH: noBuild, REFRESH: '1' }), `image ${IMAGE} stays as it is`);
  t.equal(await inspect(IMAGE, '{{.Id}}'), before);
});

t.test('their age is reported by the build, the metrics and the log', async t => {
  const { stdout } = await run('images/build.sh', ['status']);
  t.match(stdout, /chromium has chromium \d+\.\S+, packages of \S+, \d+ days old; the archive (has|does)/);
  const service = await startService(t, { BERTH_METRICS_OPEN: 'true' });
  const metrics = String((await service.api('GET', '/metrics')).body);
  t.match(metrics, /berth_image_info\{engine="[^"]+",image="chromium",tag="[^"]+-[0-9a-f]{12}",program="chromium \d+\.[^"]+"\} 1/);
  const engine = /engine="([^"]+)"/.exec(metrics)?.[1];
  const age = metric(metrics, `berth_image_packages_age_seconds{engine="${engine}",image="chromium"}`);
  t.ok(Math.abs(age * 1000 - (Date.now() - (await packagesOf(imageName('chromium'))))) < 120_000, `${age} s`);
  t.match(service.log(), /"image":"chromium".*"packages_days":\d+/);
});

async function which(program: string): Promise<string> {
  return (await run('sh', ['-c', `command -v ${program}`])).stdout.trim();
}
