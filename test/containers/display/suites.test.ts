// tags: containers
/** The unit tests in C, where the programs under test are built: with the compiler and the libraries of their images. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { buildImage, docker } from '../../fixtures/engines/docker.js';
import { imageName } from '../../fixtures/engines/images.js';
import { reportSuites } from '../../fixtures/c-suites.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const PREFIX = imageName('display').replace(/\/display$/, '');

/** Each program, what builds the stage that compiles it, and its suites as test/c/Makefile calls them. */
const PROGRAMS = [
  {
    name: 'display helper',
    build: ['--target', 'build', '-f', 'images/base/display/Dockerfile', 'images/base'],
    suites: 'HELPER_SUITES',
  },
  {
    name: 'encoder for graphics cards',
    build: ['--target', 'build', '--build-arg', `PREFIX=${PREFIX}`, '-f', 'images/encoder/Dockerfile', 'images'],
    suites: 'ENCODER_SUITES',
  },
  {
    name: 'plugins of the n64',
    build: ['--target', 'plugins', '-f', 'images/console/Dockerfile', 'images'],
    suites: 'PLUGIN_SUITES',
  },
];

const { stdout: files } = spawnSync(
  'tar',
  ['-c', 'test/c', 'images/base/display', 'images/encoder', 'images/console'],
  {
    cwd: root,
    maxBuffer: 16 << 20,
  },
);

for (const { name, build, suites } of PROGRAMS) {
  t.test(`C tests of the ${name}`, async t => {
    const image = await buildImage(...build);
    const make = `make -s -j2 -C /tmp/c/test/c SUITES='$(${suites})' BUILD=/tmp/build run`;
    const container = `berth-test-suites-${process.pid}`;
    t.teardown(() => docker('rm', '-f', container).catch(() => undefined));
    const run = spawnSync(
      'docker',
      [
        ...['run', '-i', '--rm', '--name', container, '--network', 'none', image],
        ...['sh', '-c', `mkdir /tmp/c && tar -x -C /tmp/c && ${make}`],
      ],
      { input: files, encoding: 'utf8', timeout: 300_000 },
    );
    reportSuites(t, { status: run.status ?? -1, stdout: run.stdout, stderr: run.stderr }, false);
  });
}
