/**
 * Starts the agent, main.cjs beside this file, by the compiled code that its image keeps in main.code: compiling it anew
 * takes a quarter of its start. With the argument `keep`, the code is written when the agent ends.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { makeLog } from './lib/log.js';

const filename = join(__dirname, 'main.cjs');
const code = join(__dirname, 'main.code');

const script = new Script(`(function (require) {${readFileSync(filename, 'utf8')}\n})`, {
  filename,
  cachedData: existsSync(code) ? readFileSync(code) : undefined,
});
// Where it is of another main.cjs or Node, or damaged.
if (script.cachedDataRejected === true) makeLog(line => process.stdout.write(line)).warn('compiled code not used');
if (process.argv[2] === 'keep') process.on('exit', () => writeFileSync(code, script.createCachedData()));
(script.runInThisContext() as (require: NodeJS.Require) => void)(require);
