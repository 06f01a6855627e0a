// tags: containers
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import t from 'tap';
import { imageName } from '../../fixtures/engines/images.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { Service } from './service.js';

const run = promisify(execFile);
const agentFolder = fileURLToPath(new URL('../../../src/agent', import.meta.url));

const AGENT = /^node .*agent\/load\.cjs/;

/** A session leader whose parent is gone, as a killed agent leaves it. Says in a file when it is told something. */
const STRAY = `trap 'echo told > /tmp/told; exit' USR1; echo $$ > /tmp/stray; while :; do sleep 0.05; done`;

/** Starts an agent beside it, tells the stray something, and says whether that arrived. */
const BESIDE = `
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from './agent.js';
import { Handover } from './handover/handover.js';
import { isAlive, processes } from './process/identity.js';

const isStray = ({ pid, parent, session }) => parent === 1 && session === pid;
let stray;
while (!existsSync('/tmp/stray') || !(stray = processes().find(isStray))) await sleep(10);
const log = { info() {}, warn() {} };
const handover = new Handover(log, { folder: '/tmp/handover' });
new Agent({ log, handover, env: { PATH: process.env.PATH }, readyFd: undefined }).start(0);
process.kill(stray.pid, 'SIGUSR1');
while (isAlive(stray)) await sleep(10);
console.log(existsSync('/tmp/told') ? 'left alone' : 'killed');
process.exit();
`;

t.test('an agent ends what a killed one had started, but not recorded yet', async t => {
  const computer = await Computer.start(t);
  await Service.connect(t, computer);
  await computer.exec('sh', '-c', `setsid sh -c "$0" > /dev/null 2>&1 &`, STRAY);
  const pid = Number(await until('it runs', () => computer.exec('cat', '/tmp/stray').catch(() => '')));
  t.same(await computer.pids(/trap .*\/tmp\/told/), [pid]);
  await computer.kill(AGENT);
  await until('it has ended', async () => (await computer.pids(/trap .*\/tmp\/told/)).length === 0);
});

t.test('starting an agent ends no process but its own: only the program of a container does', async t => {
  const { outputFiles } = await build({
    stdin: { contents: BESIDE, resolveDir: agentFolder, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/');" },
  });
  const name = `berth-test-strays-${process.pid}`;
  t.teardown(() => run('docker', ['rm', '-fv', name]).catch(() => undefined));
  const command = 'setsid sh -c "$0" > /dev/null 2>&1 & exec node --input-type=module -';
  const args = ['run', '-i', '--name', name, '--network', 'none', '--entrypoint', 'sh', imageName('chromium')];
  const ran = run('docker', [...args, '-c', command, STRAY]);
  ran.child.stdin?.end(outputFiles[0]?.contents);
  t.equal((await ran).stdout.trim(), 'left alone');
});
