/** Builds what is missing and runs the service in the background. Idempotent. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  apiKey,
  buildId,
  configOrExit,
  fail,
  filesIn,
  localAddress,
  runningPid,
  startService,
  stopService,
  tail,
} from './lib/service.js';
import { run } from './lib/steps.js';

const READY_WITHIN_MS = 60_000;

const config = configOrExit();
const files = filesIn(config.dataDir);
const address = localAddress(config);

if (!(await run('npm', ['run', '--silent', 'build']))) fail('the build failed, see above; `make clean` and repeat.');
if (!(await run('images/build.sh', ['all']))) fail('the images could not be built, see above.');

const running = runningPid(files);
if (running !== null && upToDate()) {
  console.log(`berth: already running (process ${running}).`);
} else {
  if (running !== null) console.log('berth: restarting with the new build; sessions go on ...');
  await stopService(files);
  startService(files, process.env);
}
await ready();
console.log(instructions(config.publicUrl ?? address, apiKey(config)));

function upToDate(): boolean {
  try {
    return readFileSync(files.build, 'utf8') === buildId(process.env);
  } catch {
    return false;
  }
}

async function ready(): Promise<void> {
  const end = Date.now() + READY_WITHIN_MS;
  let reason = 'no answer';
  while (Date.now() < end) {
    if (runningPid(files) === null) giveUp('the service ended');
    try {
      const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5000) });
      if (response.ok) return;
      reason = await response.text();
    } catch {
      // Not listening yet.
    }
    await sleep(100);
  }
  giveUp(`the service is not ready after ${READY_WITHIN_MS / 1000} s (${reason})`);
}

function giveUp(what: string): never {
  console.error(tail(files.log, 20));
  fail(`${what}; the end of its log ${files.log} is above.`);
}

function instructions(url: string, key: string): string {
  return `
Berth runs.

  address   ${url}
  API key   ${key}
  log       ${files.log}

Start a session:

  curl -X POST ${url}/v0/vm -H 'Authorization: Bearer ${key}' \\
    -d '{"start_url": "https://example.com"}'

and open the embed_url of its answer in a browser, or let \`make demo\` do it. \`make down\` ends everything.`;
}
