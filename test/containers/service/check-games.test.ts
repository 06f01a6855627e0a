// tags: containers, slow
/** `make check-games` over test cards: what plays, what does not, and that nothing is left when it is interrupted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decode } from 'fast-png';
import t from 'tap';
import type { Result } from '../../../scripts/check-games/result.js';
import { docker } from '../../fixtures/engines/docker.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { until } from '../../fixtures/until.js';

const cards = await testCards(t);
const folder = t.testdir();
const out = join(folder, 'out');
await copyFile(join(cards, 'card.nes'), join(folder, 'colours.nes'));
await copyFile(join(cards, 'card-slow.sfc'), join(folder, 'moving.sfc'));
await writeFile(join(folder, 'page.nes'), '<!doctype html><title>not a game</title>');

/** Starts the script itself: make would build everything first. */
function check(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/check-games.ts'], {
    env: { ...process.env, FOLDER: folder, OUT: out, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = once(child, 'close') as Promise<[number | null]>;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { child, ended, output: () => output };
}

const containers = async (pid: number | undefined) =>
  docker('ps', '-aq', '--filter', `label=berth.instance=berth-test-games-${pid}`);

t.test('playable programs are told from unplayable ones', async t => {
  const { child, ended, output } = check({ JOBS: '1', DURATION: '6' });
  t.same(await ended, [0, null], output());
  const results = JSON.parse(await readFile(join(out, 'results.json'), 'utf8')) as Result[];
  t.match(results, [
    { name: 'colours.nes', type: 'nes', verdict: 'plays', ended: null, restarts: 0 },
    { name: 'moving.sfc', type: 'snes', verdict: 'plays', ended: null, peak: 0 },
    { name: 'page.nes', verdict: 'refused', hasRun: false, ended: { message: /not a game for the nes/ } },
  ]);
  t.ok((results[0]?.peak ?? 0) > 0.01, 'the card of the nes sounds while A is held');
  t.ok((results[0]?.moved ?? 0) > 0.5, 'and changes its colour by START');
  t.ok((results[1]?.fps ?? 0) > 1, 'pictures came');
  t.match(output(), /^nes +2 +1 .* 50\.0 % +0 +0$/m);
  t.ok(decode(await readFile(join(out, 'sheet.png'))).width > 1000, 'there is a contact sheet');
  t.equal(await containers(child.pid), '', 'no container is left');
});

t.test('an interrupted run leaves nothing behind, and can be continued', async t => {
  await rm(join(out, 'results.json'));
  const { child, ended, output } = check({ JOBS: '1', DURATION: '20' });
  await until('a container runs', async () => (await containers(child.pid)) !== '');
  child.kill('SIGINT');
  t.same(await ended, [130, null], output());
  t.equal(await containers(child.pid), '', 'no container is left');
  await writeFile(join(out, 'results.json'), JSON.stringify([{ name: 'colours.nes', type: 'nes', verdict: 'black' }]));
  const resumed = check({ RESUME: '1', TYPE: 'nes', JOBS: '1', DURATION: '4', AGAIN: '6' });
  await resumed.ended;
  t.match(resumed.output(), /^1 of 2 programs/);
  t.match(resumed.output(), /^1 of them once more, for 6 seconds each$/m, 'what was black gets a second try');
  const [colours] = JSON.parse(await readFile(join(out, 'results.json'), 'utf8')) as Result[];
  t.match(colours, { name: 'colours.nes', verdict: 'plays', again: true });
});
