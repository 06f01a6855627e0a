import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { Handover } from '../../../src/agent/handover/handover.js';
import { identityOf, isAlive, isIdentity, processes, type Identity } from '../../../src/agent/process/identity.js';
import { adopt, waitOrKill } from '../../../src/agent/process/adopted.js';
import { Program } from '../../../src/agent/process/program.js';
import { until } from '../../fixtures/until.js';

const quiet = { info: () => undefined, warn: () => undefined };
const policy = { first: 10, longest: 50, window: 10_000, tolerated: 2 };
const env = { PATH: process.env['PATH'] ?? '' };

/** A process that another agent might have started. */
async function left(t: Test, script: string): Promise<Identity> {
  const child = spawn('sh', ['-c', `echo; ${script}`], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  t.teardown(() => {
    if (processes().some(({ group }) => group === child.pid)) process.kill(-(child.pid as number), 'SIGKILL');
  });
  await once(child.stdout, 'data');
  return identityOf(child.pid as number) as Identity;
}

function sleeper(t: Test, handover: Handover, died = () => {}, lookEvery?: number): Program {
  const program = new Program({
    ...(lookEvery === undefined ? {} : { lookEvery }),
    name: 'sleeper',
    log: quiet,
    policy,
    handover,
    died,
    adopted: () => undefined,
    command: () => ({ file: 'sleep', args: ['60'], env }),
  });
  t.teardown(() => program.stop());
  return program;
}

t.test('a running program is taken over, and kept running', async t => {
  const handover = new Handover(quiet, { folder: t.testdir() });
  const identity = await left(t, 'sleep 60');
  handover.write('process-sleeper', identity);
  const program = sleeper(t, handover);
  program.start();
  await program.whenUp();
  t.equal(program.pid, identity.pid);
  program.kill();
  const other = await until('another runs', () => program.pid !== identity.pid && program.pid);
  t.same(handover.read('process-sleeper', isIdentity), identityOf(other));
});

t.test('one that ended in the meantime has died, and its PID may be another process', async t => {
  const handover = new Handover(quiet, { folder: t.testdir() });
  const another = await left(t, 'sleep 60');
  handover.write('process-sleeper', { ...another, start: another.start - 1 });
  let deaths = 0;
  const program = sleeper(t, handover, () => void deaths++);
  program.start();
  await program.whenUp();
  t.equal(deaths, 1);
  t.not(program.pid, another.pid);
  await program.stop();
  t.ok(isAlive(another), 'it is left alone');
});

t.test('one whose exit was not noticed yet is not up', async t => {
  const handover = new Handover(quiet, { folder: t.testdir() });
  const identity = await left(t, 'sleep 60');
  handover.write('process-sleeper', identity);
  let deaths = 0;
  const program = sleeper(t, handover, () => void deaths++, 60_000);
  program.start();
  await program.whenUp();
  process.kill(identity.pid, 'SIGKILL');
  await until('it is gone', () => !isAlive(identity));
  await program.whenUp();
  t.equal(deaths, 1);
  t.not(program.pid, identity.pid);
});

t.test('a signal reaches the intended process, or none', async t => {
  const identity = await left(t, 'sleep 60');
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    adopt({ ...identity, start: identity.start + 1 }).signal(signal);
    adopt({ ...identity, start: identity.start + 1 }).ask(signal);
  }
  await t.rejects(until('it ends', () => !isAlive(identity), 300));
  adopt(identity).ask('SIGTERM');
  await until('it ends', () => !isAlive(identity));
});

t.test("a process's children end with it", async t => {
  const handover = new Handover(quiet, { folder: t.testdir() });
  const identity = await left(t, '(trap "" TERM; exec sleep 61) & trap "exit 0" TERM; wait');
  handover.write('process-sleeper', identity);
  const program = sleeper(t, handover);
  program.start();
  await program.whenUp();
  await program.stop();
  t.notOk(isAlive(identity));
  await until('what it has started ends', () => processes().every(({ group }) => group !== identity.pid));
});

t.test('one that is to end gets time, and is then killed', async t => {
  const patient = await left(t, 'sleep 0.3');
  const begun = performance.now();
  await waitOrKill(patient, 60_000);
  t.notOk(isAlive(patient));
  t.ok(performance.now() - begun < 30_000);
  const stubborn = await left(t, 'trap "" TERM; sleep 60');
  await waitOrKill(stubborn, 200);
  t.notOk(isAlive(stubborn));
  await waitOrKill(undefined, 1000);
});
