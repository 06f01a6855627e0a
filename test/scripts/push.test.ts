/** `make images PUSH=…`: where images go, for which architectures, and what is said where they cannot. */
import { execFile } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';

const run = promisify(execFile);

const BOTH = 'Name: both\nDriver: docker-container\nPlatforms: linux/amd64*, linux/amd64/v2, linux/arm64';
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

/**
 * Pushes an image with a Docker client whose commands, those that begin so, end with an output or, as in `!reason`, fail.
 * Gives what was said, and the commands that change something.
 */
async function pushed(
  t: Test,
  to: string,
  answers: Record<string, string> = {},
): Promise<{ said: string; commands: string[] }> {
  const cases = Object.entries(answers).map(([command, answer]) =>
    answer.startsWith('!')
      ? `'${command}'*) echo '${answer.slice(1)}' >&2; exit 1 ;;`
      : `'${command}'*) echo '${answer}' ;;`,
  );
  const folder = t.testdir({
    docker: `#!/bin/sh\necho "$*" >>"$0.log"\ncase "$*" in\n${cases.join('\n')}\n'version'*) echo amd64 ;;\n'image inspect --format {{.Id}}'*) echo sha256:1 ;;\n*' - '*|*' -') cat >/dev/null ;;\nesac\n`,
    'docker.log': '',
  });
  await chmod(`${folder}/docker`, 0o755);
  const script = `set -eu; prefix=berth options= packages_of=now
. images/lib/image.sh; . images/lib/push.sh
choose_push "$1"
build display display/Dockerfile '' '' -C images/base listen`;
  const { stdout, stderr } = await run('sh', ['-c', script, 'sh', to], {
    env: { scratch: folder, PATH: `${folder}:${process.env['PATH']}` },
  }).catch((error: { stdout: string; stderr: string }) => error);
  const commands = (await readFile(`${folder}/docker.log`, 'utf8')).split('\n');
  return { said: stdout + stderr, commands: commands.filter(each => /^(push|buildx build|rmi berth|tag)/.test(each)) };
}

t.test(
  'a builder for both architectures makes each image for both, and puts it there by version and as latest',
  async t => {
    const { said, commands } = await pushed(t, 'registry.example/some/berth', { 'buildx inspect': BOTH });
    t.equal(commands.length, 1);
    for (const part of [
      '--builder both ',
      '--platform linux/amd64,linux/arm64 --push ',
      `--tag registry.example/some/berth/display:latest --tag registry.example/some/berth/display:${version} `,
      '--build-arg PREFIX=registry.example/some/berth ',
    ])
      t.ok(commands[0]?.includes(part), part);
    t.match(said, /registry\.example\/some\/berth\/display for linux\/amd64,linux\/arm64/);
  },
);

t.test('without such a builder the image of the engine is pushed, and a sentence says so and why', async t => {
  for (const [described, why] of [
    ['!no such command', 'the Docker client has no BuildKit (docker buildx)'],
    ['Name: default\nDriver: docker\nPlatforms: linux/amd64', "the engine's own builder has the images of one"],
    ['Name: one\nDriver: docker-container\nPlatforms: linux/amd64', 'the active builder does not run linux/arm64'],
  ] as const) {
    const { said, commands } = await pushed(t, 'registry.example/berth', { 'buildx inspect': described });
    t.ok(said.includes("pushed for this engine's architecture, amd64, alone: " + why), said);
    t.same(
      commands.filter(each => each.startsWith('push')),
      [`push registry.example/berth/display:${version}`, 'push registry.example/berth/display:latest'],
    );
  }
});

t.test('what keeps an image from a registry is a sentence that says what to do', async t => {
  const refused = async (reason: string, to = 'registry.example/berth') =>
    (await pushed(t, to, { 'buildx inspect': '!none', push: `!${reason}` })).said.trim().split('\n').at(-1);
  const begin = 'berth: registry.example/berth/display could not be pushed: registry.example';
  const login = 'does not let you: log in with "docker login registry.example" as somebody who may push there.';
  t.equal(await refused('no basic auth credentials'), `${begin} ${login}`);
  t.equal(await refused('denied: requested access to the resource is denied'), `${begin} ${login}`);
  t.equal(
    await refused('Get "https://registry.example/v2/": dial tcp: lookup registry.example: no such host'),
    `${begin} cannot be reached: check the name of the registry, and the network.`,
  );
  t.equal(
    await refused('x509: certificate signed by unknown authority'),
    `${begin} has no TLS certificate that the engine trusts.`,
  );
  t.match(
    await refused('unauthorized', 'somebody/berth'),
    /Docker Hub does not let you: log in with "docker login" as/,
  );
  const both = await pushed(t, 'registry.example/berth', {
    'buildx inspect': BOTH,
    'buildx build': '!401 Unauthorized',
  });
  t.match(both.said, login);
});

t.test('PUSH is a registry and a prefix', async t => {
  for (const wrong of [
    'registry.example',
    'Registry.example/berth',
    '/berth',
    'registry.example/',
    'a b/c',
    '-o/x y',
  ]) {
    const { said, commands } = await pushed(t, wrong);
    t.match(said, /PUSH must be a registry and the first part of the images' names there/, wrong);
    t.same(commands, [], wrong);
  }
});
