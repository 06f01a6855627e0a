/**
 * Starts each program of a folder through its own service, watches it, presses buttons, and reports which ones play: a
 * line for each, results.json, a contact sheet and a table. See docs/how-to/consoles.md for its variables.
 */
import { Scope } from '../bench/lib/scope.js';
import { startService } from '../test/fixtures/services/service.js';
import { readOptions, type Options } from './check-games/options.js';
import { play } from './check-games/play.js';
import { findPrograms, type Program } from './check-games/programs.js';
import { Reader } from './check-games/reading.js';
import { readReference } from './check-games/reference.js';
import { line } from './check-games/report.js';
import { isBetter, isWorthAnother, verdictOf, type Result } from './check-games/result.js';
import { serve } from './check-games/serve.js';
import { Results } from './check-games/store.js';
import { fail } from './lib/service.js';

const options = optionsOrExit();
const found = await findPrograms(options.folder, options.type).catch(() => fail(`there is no ${options.folder}.`));
if (found.length === 0) fail(`no games are in ${options.folder}.`);
const results = await Results.open(options.out, options.resume);
const programs = found.filter(({ name }) => !results.has(name));
console.log(`${programs.length} of ${found.length} programs, ${options.jobs} at a time`);

const scope = new Scope();
let closing: Promise<void> | undefined;
const close = () => (closing ??= scope.close());
const interrupt = () => void close().then(() => process.exit(130));
process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
try {
  await all();
  console.log(`\n${await results.finish()}\n\n${options.out}: sheet.png, results.json, results.txt`);
} catch (error) {
  // An aborted run fails.
  if (closing === undefined) console.error(error);
  process.exitCode = 1;
}
await close();

async function all(): Promise<void> {
  const service = await startService(scope, {
    BERTH_ROM_ALLOW_PRIVATE: 'true',
    BERTH_LOG_LEVEL: 'warn',
    // Identifies this process, for finding leftovers.
    BERTH_INSTANCE: `berth-test-games-${process.pid}`,
  });
  const urlOf = await serve(scope, found);
  const reader = await Reader.open();
  scope.teardown(() => reader.close());
  const run = async (program: Program, seconds: number): Promise<[Result, Buffer | null]> => {
    const reference = options.reference === null ? { picture: null } : await readReference(program, options.reference);
    const { trial, picture } = await play(program, {
      service,
      url: urlOf(program),
      reference: reference.picture,
      seconds,
      reader,
    });
    const { problem } = reference;
    const notCompared = problem === undefined ? {} : { notCompared: problem };
    return [{ name: program.name, type: program.type, verdict: verdictOf(trial), ...notCompared, ...trial }, picture];
  };
  const keep = async (result: Result, picture: Buffer | null) => {
    await results.add(result, picture);
    console.log(line(result));
  };
  const waiting = [...programs];
  const work = async () => {
    for (let program = waiting.shift(); program !== undefined; program = waiting.shift()) {
      await keep(...(await run(program, options.seconds)));
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  if (options.secondsAgain === 0) return;
  const unplayed = found.flatMap(program => {
    const result = results.get(program.name);
    return result !== undefined && isWorthAnother(result) ? [{ program, result }] : [];
  });
  if (unplayed.length > 0)
    console.log(`${unplayed.length} of them once more, for ${options.secondsAgain} seconds each`);
  for (const { program, result } of unplayed) {
    const [again, picture] = await run(program, options.secondsAgain);
    if (isBetter(again, result)) await keep({ ...again, again: true }, picture);
  }
}

function optionsOrExit(): Options {
  try {
    return readOptions(process.env);
  } catch (error) {
    return fail((error as Error).message);
  }
}
