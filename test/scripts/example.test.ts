import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';

t.test('without a name no example starts, and the names are listed', async t => {
  const started = promisify(execFile)('node_modules/.bin/tsx', ['scripts/example.ts', 'nonsense']);
  await t.rejects(started, { code: 1, stderr: /event-log \| kiosk \| watch-party \| webgl-texture \| webhook-auth/ });
});
