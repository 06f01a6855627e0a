import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';

const LINES = 4000;

/** A process that logs more than any pipe holds, then ends in one of these ways. */
function logging(end: string, stdout: 'pipe' | number) {
  const script = `
    import { createLogger } from './src/server/lib/logger.ts';
    import { standardOutput } from './src/server/lib/standard-output.ts';
    const log = createLogger('info');
    for (let i = 0; i < ${LINES}; i++) log.info({ i, fill: 'x'.repeat(200) }, 'a line');
    log.error('the last words');
    ${end}`;
  const stdio: StdioOptions = ['ignore', stdout, 'inherit'];
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { stdio });
}

const WAYS = {
  'one that waits for its log': 'await standardOutput().end(500); process.exit(7);',
  'one that does not': 'process.exit(7);',
};

t.test('a process ends although nobody reads its log, or the disk is full', async t => {
  for (const [name, end] of Object.entries(WAYS)) {
    for (const stdout of ['pipe', openSync('/dev/full', 'w')] as const) {
      const child = logging(end, stdout);
      const [code] = (await once(child, 'exit')) as [number];
      t.equal(code, 7, `${name}, ${stdout === 'pipe' ? 'stalled' : 'full'}`);
      child.stdout?.destroy();
    }
  }
});

t.test('what was logged is written before it ends: to a reader, and to a file', async t => {
  for (const [name, end] of Object.entries(WAYS)) {
    const child = logging(end, 'pipe');
    const read = text(child.stdout as NodeJS.ReadableStream);
    await once(child, 'exit');
    t.match(await read, /the last words/, name);
    const path = join(t.testdir({}), 'log');
    await once(logging(end, openSync(path, 'a')), 'exit');
    t.match(readFileSync(path, 'utf8'), /the last words/, name);
  }
});
