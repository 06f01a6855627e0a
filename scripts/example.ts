/** Runs an example against the service given by BERTH_URL and BERTH_API_KEY, or else the one that `make up` runs. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { apiKey, configOrExit, fail, localAddress } from './lib/service.js';
import { run } from './lib/steps.js';

const name = process.argv[2] ?? '';
const entries = await readdir('examples', { withFileTypes: true });
const names = entries.filter(entry => entry.isDirectory() && entry.name !== 'lib').map(entry => entry.name);
if (!names.includes(name)) fail(`say which example: npm run example <${names.sort().join(' | ')}>`);
if (!existsSync('dist/client.js')) fail('nothing is built yet; run `make up` first.');

const config = configOrExit();
const env = {
  ...process.env,
  BERTH_URL: process.env['BERTH_URL'] || localAddress(config),
  BERTH_API_KEY: process.env['BERTH_API_KEY'] || keyOrExit(),
};
const answers = await fetch(`${env.BERTH_URL}/healthz`).then(
  response => response.ok,
  () => false,
);
if (!answers) fail(`nothing answers at ${env.BERTH_URL}; run \`make up\` first, or set BERTH_URL.`);
process.exitCode = (await run(process.execPath, [`examples/${name}/server.js`], env)) ? 0 : 1;

function keyOrExit(): string {
  try {
    return apiKey(config);
  } catch {
    return fail('there is no API key yet; run `make up` first, or set BERTH_API_KEY.');
  }
}
