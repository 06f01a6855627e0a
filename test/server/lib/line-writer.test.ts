import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { LineWriter } from '../../../src/server/lib/line-writer.js';
import { until } from '../../fixtures/until.js';

const notice = (count: number) => `left out: ${count}\n`;
const LINE = `${'x'.repeat(999)}\n`;
const KEPT = 100 * LINE.length;

/** A pipe that is read only when it is asked to be. */
function stalledPipe(t: Test) {
  const path = join(t.testdir({}), 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  t.teardown(() => closeSync(fd));
  const chunk = Buffer.alloc(1 << 16);
  return {
    fd,
    read(): string {
      try {
        return chunk.toString('utf8', 0, readSync(fd, chunk));
      } catch {
        return '';
      }
    },
  };
}

/** What is read until it has something. */
async function readUntil(pipe: { read(): string }, pattern: RegExp): Promise<string> {
  let text = '';
  await until(String(pattern), () => pattern.test((text += pipe.read())));
  return text;
}

t.test('a reader that stalls holds up nobody, and is told what was left out when it reads again', async t => {
  const pipe = stalledPipe(t);
  const writer = new LineWriter(pipe.fd);
  const channel = writer.channel(notice, KEPT);
  const begun = performance.now();
  for (let i = 0; i < 1000; i++) channel.write(LINE);
  t.ok(performance.now() - begun < 1000);
  const text = await readUntil(pipe, /left out/);
  const [, leftOut] = /left out: (\d+)/.exec(text) ?? [];
  const whole = text.split('\n').filter(line => line.length === 999).length;
  t.equal(whole + Number(leftOut), 1000, 'every line is there, or counted');
  channel.write('on again\n');
  await readUntil(pipe, /on again/);
  await writer.end(1000);
});

t.test('what matters more is left out last, and each channel has a budget of its own', async t => {
  const pipe = stalledPipe(t);
  const writer = new LineWriter(pipe.fd);
  const [flood, other] = [writer.channel(notice, KEPT), writer.channel(notice, KEPT)];
  for (let i = 0; i < 1000; i++) flood.write(LINE);
  flood.write('important\n', true);
  other.write('other\n');
  const text = await readUntil(pipe, /left out/);
  t.match(text, /^important$/m);
  t.match(text, /^other$/m);
  await writer.end(1000);
});

t.test('a full disk holds up nobody, neither while it is full nor at the end', async t => {
  const fd = openSync('/dev/full', 'w');
  const writer = new LineWriter(fd);
  const channel = writer.channel(notice);
  for (let i = 0; i < 100; i++) channel.write(LINE);
  const begun = performance.now();
  await writer.close(100);
  t.ok(performance.now() - begun < 5000);
});

t.test('everything is written before it ends', async t => {
  const path = join(t.testdir({}), 'log');
  const writer = new LineWriter(openSync(path, 'a'));
  const channel = writer.channel(notice);
  for (let i = 0; i < 1000; i++) channel.write(`${i}\n`);
  await writer.close(10_000);
  t.equal(readFileSync(path, 'utf8').trim().split('\n').length, 1000);
  channel.write('later\n');
  t.notMatch(readFileSync(path, 'utf8'), 'later');
});

t.test('a file that is full is moved aside, older ones further, and the oldest is deleted', async t => {
  const path = join(t.testdir({}), 'log');
  const writer = new LineWriter(openSync(path, 'a'), { path, maxBytes: 10 * LINE.length, keep: 2 });
  const channel = writer.channel(notice);
  for (let i = 0; i < 5; i++) {
    const { ino } = statSync(path);
    for (let n = 0; n < 10; n++) channel.write(LINE);
    const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino;
    // What comes meanwhile is in the same file.
    await until('it is moved', () => inodeOf(`${path}.1`) === ino && inodeOf(path) !== undefined);
  }
  channel.write('the newest\n');
  await writer.close(10_000);
  t.equal(readFileSync(path, 'utf8'), 'the newest\n');
  t.equal(readFileSync(`${path}.1`, 'utf8').length, 10 * LINE.length);
  t.equal(readFileSync(`${path}.2`, 'utf8').length, 10 * LINE.length);
  t.notOk(existsSync(`${path}.3`));
});

t.test('a file whose descriptor is shared is copied and emptied', async t => {
  const path = join(t.testdir({}), 'log');
  const shared = openSync(path, 'a');
  t.teardown(() => closeSync(shared));
  const writer = new LineWriter(shared, { path, maxBytes: 10 * LINE.length, keep: 1, inPlace: true });
  const channel = writer.channel(notice);
  for (let n = 0; n < 10; n++) channel.write(LINE);
  await until('it is emptied', () => existsSync(`${path}.1`) && readFileSync(path, 'utf8') === '');
  channel.write('the newest\n');
  await writer.end(10_000);
  t.equal(readFileSync(path, 'utf8'), 'the newest\n');
  t.equal(readFileSync(`${path}.1`, 'utf8').length, 10 * LINE.length);
});
