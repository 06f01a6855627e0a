/** Starts a session on the service that `make up` runs and prints its address. DEMO contains the options as JSON. */
import { apiKey, configOrExit, fail, localAddress } from './lib/service.js';

const config = configOrExit();
const options = process.env['DEMO'] || '{"start_url": "https://example.com"}';
const response = await fetch(`${localAddress(config)}/v0/vm`, {
  method: 'POST',
  headers: { authorization: `Bearer ${apiKeyOrExit()}`, 'content-type': 'application/json' },
  body: options,
}).catch(() => fail(`nothing answers at ${localAddress(config)}; run \`make up\` first.`));
const text = await response.text();
if (!response.ok) fail(`the session was not started (${response.status}): ${text}`);
console.log((JSON.parse(text) as { embed_url: string }).embed_url);

function apiKeyOrExit(): string {
  try {
    return apiKey(config);
  } catch {
    return fail('there is no API key yet; run `make up` first.');
  }
}
