/** The unit tests of the display helper in C, where it is built: with the compiler and the libraries of its image. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { docker } from '../../fixtures/docker.js';
import { reportSuites } from '../../fixtures/c-suites.js';

const suites = fileURLToPath(new URL('../../c', import.meta.url));
const helper = fileURLToPath(new URL('../../../images/base/display', import.meta.url));

/** Builds the stage that compiles the helper, by what has built it for the image and keeps it. */
const BUILD = '. images/lib/builder.sh && choose_builder && docker build -q --force-rm --target build "$1"';

t.test('suites in C', async t => {
  const built = spawnSync('sh', ['-c', BUILD, 'sh', helper], { encoding: 'utf8' });
  t.equal(built.status, 0, built.stderr);
  const image = built.stdout.trim();
  const script = 'mkdir /tmp/c && tar -x -C /tmp/c && make -s -j2 -C /tmp/c SOURCE=/src BUILD=/tmp/build run';
  const { stdout: files } = spawnSync('tar', ['-c', '-C', suites, '.'], { maxBuffer: 16 << 20 });
  const name = `berth-test-suites-${process.pid}`;
  t.teardown(() => docker('rm', '-f', name).catch(() => undefined));
  const run = spawnSync(
    'docker',
    ['run', '-i', '--rm', '--name', name, '--network', 'none', image, 'sh', '-c', script],
    {
      input: files,
      encoding: 'utf8',
      timeout: 300_000,
    },
  );
  reportSuites(t, { status: run.status ?? -1, stdout: run.stdout, stderr: run.stderr }, false);
});
