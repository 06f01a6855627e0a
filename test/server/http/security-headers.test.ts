import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import t from 'tap';
import { securityHeaders } from '../../../src/server/http/middleware/security-headers.js';

t.test('the policy lets the script run that is in the player page itself, as it is there', async t => {
  const page = await readFile('src/web/static/player.html', 'utf8');
  const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  t.equal(scripts.length, 1);
  const headers = new Map<string, string>();
  const response = { setHeader: (name: string, value: string) => headers.set(name.toLowerCase(), value) };
  securityHeaders({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  const hash = createHash('sha256').update(scripts.join('')).digest('base64');
  t.match(headers.get('content-security-policy'), `script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}';`);
});
