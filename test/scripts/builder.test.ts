import { execFile } from 'node:child_process';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';

const run = promisify(execFile);

/** What images/lib/builder.sh chooses with a Docker client whose commands end as told; an output, or null: it fails. */
async function chosen(
  t: Test,
  commands: Record<string, string | null>,
  env: Record<string, string> = {},
): Promise<string> {
  const cases = Object.entries(commands).map(
    ([command, output]) => `'${command}') ${output === null ? 'exit 1' : `echo '${output}'`} ;;`,
  );
  const folder = t.testdir({ docker: `#!/bin/sh\ncase "$*" in\n${cases.join('\n')}\n*) exit 1 ;;\nesac\n` });
  await chmod(`${folder}/docker`, 0o755);
  const script =
    'set -eu; . images/lib/builder.sh; choose_builder; env | grep -E "^(DOCKER_BUILDKIT|BUILDX_BUILDER)=" | sort';
  const { stdout } = await run('sh', ['-c', script], { env: { PATH: `${folder}:${process.env['PATH']}`, ...env } });
  return stdout.trim();
}

t.test('images are built by the BuildKit of the engine in use, where the client has it', async t => {
  const client = { 'buildx version': 'github.com/docker/buildx 0.13.1', 'context show': 'rootless' };
  t.equal(await chosen(t, client), 'BUILDX_BUILDER=rootless\nDOCKER_BUILDKIT=1');
  t.equal(await chosen(t, { ...client, 'context show': null }), 'BUILDX_BUILDER=default\nDOCKER_BUILDKIT=1');
});

t.test('images are built by the classic builder where the client has no BuildKit, or on request', async t => {
  t.equal(await chosen(t, { 'buildx version': null }), 'DOCKER_BUILDKIT=0');
  t.equal(await chosen(t, { 'buildx version': null }, { DOCKER_BUILDKIT: '1' }), 'DOCKER_BUILDKIT=0');
  t.equal(
    await chosen(t, { 'buildx version': 'github.com/docker/buildx 0.13.1' }, { DOCKER_BUILDKIT: '0' }),
    'DOCKER_BUILDKIT=0',
  );
});

t.test('Dockerfiles use no feature that needs BuildKit', async t => {
  const files = (await readdir('images', { recursive: true })).filter(name => name.endsWith('Dockerfile'));
  t.ok(files.length >= 4);
  for (const file of files) {
    t.notMatch(
      await readFile(`images/${file}`, 'utf8'),
      /^# *syntax=|^(RUN|COPY|ADD) --(mount|network|security|link|chmod|parents|exclude)|<</m,
      file,
    );
  }
});
