// tags: containers
/** The recipe of the image with Google's emulator, with an archive that stands in for Google's. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { zipSync } from 'fflate';
import t, { type Test } from 'tap';
import { buildImage, docker, hostAddress } from '../../fixtures/engines/docker.js';
import { imageName } from '../../fixtures/engines/images.js';

const run = promisify(execFile);
const IMAGE = 'berth-test/android';

/** Serves the command-line tools to builds; resolves with the build's arguments. */
async function archive(t: Test): Promise<string[]> {
  const sdkmanager = await readFile('test/fixtures/android/sdk/sdkmanager');
  const tools = zipSync({ 'cmdline-tools/bin/sdkmanager': [sdkmanager, { os: 3, attrs: 0o100755 << 16 }] });
  const server = createServer((request, response) => {
    if (request.url === '/sdk/commandlinetools-linux-11076708_latest.zip') response.end(tools);
    else response.writeHead(404).end();
  });
  t.teardown(() => server.close());
  await once(server.listen(0), 'listening');
  const sdk = `http://${await hostAddress()}:${(server.address() as AddressInfo).port}/sdk`;
  const checksum = createHash('sha256').update(tools).digest('hex');
  return [`SDK=${sdk}`, `TOOLS_SHA256=${checksum}`, `PREFIX=${imageName('base').replace(/\/base$/, '')}`];
}

const build = (args: readonly string[]) =>
  buildImage(...args.flatMap(arg => ['--build-arg', arg]), '-t', IMAGE, 'images/android');

t.test('without a yes to the licences it is not built, and the sentence says so', async t => {
  const env = { ...process.env, ACCEPT_ANDROID_LICENSE: '', BERTH_IMAGE_PREFIX: 'berth-test-android-licence' };
  const failure = (await run('images/build.sh', ['android'], { env }).catch((error: unknown) => error)) as {
    stderr?: string;
  };
  t.match(
    failure.stderr,
    /^berth: .* if you accept the licences at https:\S+, set ACCEPT_ANDROID_LICENSE=yes\.\n$/,
  );
});

t.test('another scrcpy server than that of release 3.3.3 stops the build', async t => {
  const env = {
    ...process.env,
    BERTH_SCRCPY_SERVER: 'package.json',
    BERTH_IMAGE_PREFIX: 'berth-test-android-scrcpy',
  };
  const failure = (await run('images/build.sh', ['android-device'], { env }).catch((error: unknown) => error)) as {
    stderr?: string;
  };
  t.match(failure.stderr, /the scrcpy server is not that of release 3\.3\.3: its SHA-256 must be 7e70323b/);
  t.equal(await docker('images', '-q', 'berth-test-android-scrcpy/android-device'), '');
});

t.test('the recipe installs emulator and system image for the user of sessions', async t => {
  const args = await archive(t);
  await t.rejects(build(args), 'not without the licences');
  await build([...args, 'ACCEPT_ANDROID_LICENSE=yes', 'API_LEVEL=35', 'SYSTEM_IMAGE=google_apis']);
  const ask = (script: string) => docker('run', '--rm', '--network', 'none', IMAGE, 'sh', '-c', script);
  t.match(JSON.parse(await ask('cat $ANDROID_SDK_ROOT/berth.json')), {
    image: 'system-images/android-35/google_apis/x86_64/',
    fingerprint: /^[0-9a-f]{64}$/,
  });
  t.equal(await ask('cat $ANDROID_SDK_ROOT/emulator/source.properties'), 'Pkg.Path=emulator');
  t.equal(await ask('id -u; stat -c "%U %a" /avd; ls /opt/berth/scrcpy-server'), '1000\nberth 700\n/opt/berth/scrcpy-server');
});

t.test('other command-line tools stop the build', async t => {
  const args = await archive(t);
  await t.rejects(build([...args, `TOOLS_SHA256=${'0'.repeat(64)}`, 'ACCEPT_ANDROID_LICENSE=yes', 'API_LEVEL=33']));
});
