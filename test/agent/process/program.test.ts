import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { Program } from '../../../src/agent/process/program.js';
import { childEnvironment } from '../../../src/agent/process/environment.js';
import { until } from '../../fixtures/until.js';

const quiet = { info: () => undefined, warn: () => undefined };
const policy = { first: 10, longest: 50, window: 10_000, tolerated: 2 };
const shell = (script: string) => () => ({ file: 'sh', args: ['-c', script], env: childEnvironment(process.env) });
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

t.test('a killed program is restarted', async t => {
  const program = new Program({ name: 'sleeper', log: quiet, policy, command: shell('sleep 60') });
  t.teardown(() => program.stop());
  program.start();
  await program.whenUp();
  const first = program.pid;
  program.kill();
  const second = await until('another runs', () => program.pid !== first && program.pid);
  t.not(second, first);
});

t.test('a program with a niceness, and all that it starts, stands back for others', async t => {
  const command = () => ({ ...shell('sleep 60 & echo $! >&2; wait')(), niceness: 3 });
  const child = (running: ChildProcess) => once(running.stderr!, 'data').then(([pid]) => Number(pid));
  let started: Promise<number> | undefined;
  const program = new Program({
    name: 'nice',
    log: quiet,
    policy,
    command,
    started: running => void (started = child(running)),
  });
  t.teardown(() => program.stop());
  program.start();
  await program.whenUp();
  const descendant = await started;
  t.equal(getPriority(descendant), getPriority() + 3);
  t.equal(getPriority(program.pid), getPriority() + 3);
});

t.test('one that dies too often is given up on, with the reason', async t => {
  let reason = '';
  const program = new Program({
    name: 'dying',
    log: quiet,
    policy,
    command: shell('exit 3'),
    gaveUp: why => (reason = why),
  });
  t.teardown(() => program.stop());
  program.start();
  await until('it is given up', () => reason !== '');
  t.equal(reason, 'dying ended with code 3, 3 times within 10 s');
});

t.test('a program that does not exist counts as a death like any other', async t => {
  let reason = '';
  const command = () => ({ file: '/does/not/exist', args: [], env: {} });
  const program = new Program({ name: 'missing', log: quiet, policy, command, gaveUp: why => (reason = why) });
  program.start();
  await until('it is given up', () => reason !== '');
  t.match(reason, /^missing ended/);
});

for (const [exit, normal] of [
  ['dies', false],
  ['ends normally', true],
] as const) {
  t.test(`one that ${exit} is not restarted if that makes the caller stop it`, async t => {
    let starts = 0;
    let hasEnded = false;
    const program: Program = new Program({
      name: 'short',
      log: quiet,
      policy,
      command: () => (starts++, shell('exit 0')()),
      normal: () => normal,
      died: () => {
        hasEnded = true;
        void program.stop();
      },
    });
    t.teardown(() => program.stop());
    program.start();
    await until('it has ended', () => hasEnded);
    // What would be started by now would be counted; with a delay it would be within the policy's longest.
    await sleep(4 * policy.longest);
    t.equal(starts, 1);
    program.start();
    await until('it can be started again', () => starts === 2);
  });
}

t.test('one that is stopped right after its start does not run on', async t => {
  const pids: number[] = [];
  const program: Program = new Program({
    name: 'unwanted',
    log: quiet,
    policy,
    command: shell('sleep 60'),
    started: child => {
      pids.push(child.pid as number);
      void program.stop();
    },
  });
  t.teardown(() => program.stop());
  program.start();
  const pid = await until('it was started', () => pids[0]);
  await until('it has ended', () => !isAlive(pid));
  t.equal(program.pid, undefined);
});

t.test('stop ends it with all its children, even unwilling ones', async t => {
  const program = new Program({
    name: 'stubborn',
    log: quiet,
    policy,
    grace: 50,
    command: shell('trap "" TERM; sleep 60 & wait; sleep 60'),
  });
  program.start();
  await program.whenUp();
  const pid = program.pid as number;
  await program.stop();
  t.equal(program.pid, undefined);
  t.notOk(isAlive(pid));
});

t.test('the environment of programs has no secret', async t => {
  const environment = childEnvironment({ PATH: '/bin', BERTH_LINK_SECRET: 'x', NODE_OPTIONS: 'y' });
  t.equal(environment['PATH'], '/bin');
  t.notHas(environment, 'BERTH_LINK_SECRET');
  t.notHas(environment, 'NODE_OPTIONS');
});
