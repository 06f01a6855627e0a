/** Stops the service, its sessions and everything it set up in the engine; the data folder is kept. */
import { existsSync } from 'node:fs';
import { configOrExit, fail, filesIn, runningPid, stopService } from './lib/service.js';
import { output, run } from './lib/steps.js';

const config = configOrExit();
const files = filesIn(config.dataDir);

if (runningPid(files) !== null) console.log('berth: stopping the service ...');
await stopService(files);
if ((await output('docker', ['info'])) === null) {
  console.log('berth: no Docker engine answers, so that no session can be running.');
} else {
  const built = existsSync('dist/server.js') || (await run('npm', ['run', '--silent', 'build']));
  if (!built) fail('the build failed, see above; repair it and repeat `make down`.');
  if (!(await run(process.execPath, ['dist/server.js', 'teardown']))) {
    fail('not everything could be removed, see above; repeat `make down`.');
  }
  if (!(await run('scripts/engine.sh', ['stop']))) fail('the Docker engine was not stopped, see above.');
}
console.log('berth: down.');
