// tags: containers, waiting
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { containerOf, docker } from '../../fixtures/engines/docker.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

/** Starts a service that must refuse, and returns what it said. */
async function refusal(t: Test, env: Record<string, string>): Promise<string> {
  const service = await startService(t, env, { wait: false });
  t.equal(await service.exited(), 1);
  return service.log();
}

t.test('an invalid setting is reported in one sentence, with exit status 1', async t => {
  t.equal(
    await refusal(t, { BERTH_PORT: 'http' }),
    'berth: BERTH_PORT must be a whole number from 1 to 65535, but is "http".\n',
  );
});

t.test('a port in use is reported', async t => {
  const service = await startService(t);
  t.match(await refusal(t, { BERTH_PORT: new URL(service.url).port }), /^berth: BERTH_PORT is in use[^\n]*\n$/m);
});

t.test('where network isolation fails the service does not start, unless told to', async t => {
  const prefix = { BERTH_IMAGE_PREFIX: 'berth-test-no-such-image' };
  t.match(
    await refusal(t, prefix),
    /^berth: The image berth-test-no-such-image\/base:latest is not there; build it with make images\. /m,
  );
  const open = await startService(t, { ...prefix, BERTH_EGRESS: 'open' });
  const answer = await open.api('POST', '/v0/vm');
  t.same([answer.status, answer.body.code], [502, 'start_failed']);
  t.match(answer.body.message, 'build it with make images');
  const emulator = await open.api('POST', '/v0/android');
  t.same([emulator.status, emulator.body.code], [502, 'start_failed']);
  t.match(emulator.body.message, 'make image-android ACCEPT_ANDROID_LICENSE=yes');
});

t.test('the service does not start where the engine lacks what a setting names', async t => {
  const runtime = await refusal(t, { BERTH_RUNTIME: 'berth-test-none' });
  t.match(
    runtime,
    /^berth: BERTH_RUNTIME is "berth-test-none", but the container engine knows only [^\n]*\brunc\b[^\n]*\n$/m,
  );
  // Not what the engine takes by default, but the same thing.
  const other = 'io.containerd.runc.v2';
  const named = await startService(t, { BERTH_RUNTIME: other });
  const { body } = await named.api('POST', '/v0/vm');
  t.equal(await docker('inspect', containerOf(named, body.session_id), '--format', '{{.HostConfig.Runtime}}'), other);
  const armed = (await docker('info', '--format', '{{.SecurityOptions}}')).includes('name=apparmor');
  await t.test('AppArmor', { skip: armed && 'the engine has it' }, async t => {
    t.match(
      await refusal(t, { BERTH_APPARMOR: 'berth-session' }),
      /^berth: BERTH_APPARMOR is [^\n]* AppArmor is off [^\n]*\n$/m,
    );
  });
});

t.test("keys and secret are generated once and readable by the service's user only", async t => {
  const service = await startService(t, { BERTH_API_KEYS: '' });
  for (const name of ['api-key', 'secret', 'berth.sqlite']) {
    t.equal((await stat(join(service.dataDir, name))).mode & 0o777, 0o600, name);
  }
  const key = await service.dataFile('api-key');
  t.equal((await service.api('GET', '/v0/vm', undefined, { authorization: `Bearer ${key.trim()}` })).status, 200);
  await service.restart();
  t.equal(await service.dataFile('api-key'), key);
  t.notOk(service.log().includes(key.trim()));
});

t.test('callers who exceed the rate limit are told when to retry', async t => {
  const service = await startService(t, { BERTH_RATE_LIMIT: '5' });
  const answers = [];
  for (let count = 0; count < 6; count++) answers.push(await service.api('GET', '/v0/vm'));
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429],
  );
  t.equal(answers[5]?.body.code, 'rate_limited');
  t.ok(Number(answers[5]?.headers.get('retry-after')) > 0);
  t.equal((await fetch(`${service.url}/healthz`)).status, 200, 'tools are not limited');
});

t.test("pages may be framed, scripts come from the service only, and answers have their request's ID", async t => {
  const service = await startService(t);
  const answer = await service.api('GET', '/s/AAAAAAAAAAAAAAAAAAAAAA?token=x', undefined, {
    accept: 'text/html',
  });
  t.equal(answer.status, 401);
  t.match(answer.body, '<p role="alert">Open the address with the token that the session was started with.</p>');
  const policy = answer.headers.get('content-security-policy') ?? '';
  t.match(policy, 'frame-ancestors *');
  t.match(policy, "script-src 'self' 'wasm-unsafe-eval'");
  t.notMatch(policy, 'upgrade-insecure-requests');
  t.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  t.equal(answer.headers.get('access-control-allow-origin'), '*');
  t.equal(answer.headers.get('x-frame-options'), null);
  await until('the request is logged', () => service.log().includes(answer.headers.get('x-request-id') ?? '?'));
  t.notOk(service.log().includes('token=x'));
  for (const file of ['/sdk.js', '/assets/player.js']) {
    const asset = await fetch(service.url + file);
    t.equal(asset.status, 200, file);
    t.equal(asset.headers.get('access-control-allow-origin'), '*');
  }
});
