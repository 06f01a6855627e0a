// tags: containers, waiting, slow
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { containersOf } from '../../fixtures/engines/docker.js';
import { startService } from '../../fixtures/services/service.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

/** How long a session that nobody knows of waits, and how much later it may end. */
const WAIT_MS = 60_000;
const SLACK_MS = 10_000;
const DEADLY = { NODE_OPTIONS: `--import=${pathToFileURL('test/fixtures/services/die-before-answer.mjs').href}` };

interface Started {
  session_id: string;
  embed_url: string;
  admin_token: string;
}

t.test('a session whose start nobody got an answer to ends unless somebody asks for it', async t => {
  const service = await startService(t);
  // A list does not ask for any of its sessions.
  const listed = async () =>
    ((await service.api('GET', '/v0/vm')).body.results as { id: string }[]).map(({ id }) => id);
  /** Starts a session with a service that is killed before it answers, and gives what it would have answered. */
  const killed = async (tag: string): Promise<Started> => {
    await service.restart({ env: DEADLY });
    t.equal(await service.api('POST', '/v0/vm', { tag }).catch(() => null), null, 'there was no answer');
    await service.restart();
    const answer = service
      .log()
      .split('\n')
      .findLast(line => line.startsWith('{"session_id"'));
    return JSON.parse(answer ?? '') as Started;
  };

  const answered = (await service.api('POST', '/v0/vm')).body.session_id as string;
  const client = new AbortController();
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const start = fetch(`${service.url}/v0/vm`, { method: 'POST', headers, signal: client.signal });
  const gone = t.rejects(start, 'its client is gone');
  await until('its container is made', async () => (await containersOf(service)).length === 2);
  client.abort();
  await gone;
  const aborted = await until('it runs', async () => (await listed()).find(id => id !== answered));
  const lost = await killed('lost');
  const again = await killed('again');
  const read = await killed('read');
  const watched = await killed('watched');
  const called = await killed('called');
  await service.kill9();
  const before = Date.now();
  await service.restart();
  const begun = Date.now();
  const known = [again, read, watched, called]
    .map(session => session.session_id)
    .concat(answered)
    .sort();
  t.same((await listed()).sort(), [...known, aborted, lost.session_id].sort());

  t.equal((await service.api('POST', '/v0/vm', { tag: 'again' })).body.session_id, again.session_id);
  t.equal((await service.api('GET', `/v0/vm/${read.session_id}`)).body.termination_date, null);
  const url = new URL(called.embed_url);
  const authorization = `Bearer ${called.admin_token}`;
  t.equal((await service.api('POST', `${url.pathname}/ping`, undefined, { authorization })).status, 200);
  const viewer = await StreamClient.join(watched.embed_url.replace('http', 'ws').replace('?', '/stream?'));
  t.teardown(() => viewer.leave());

  await until('both have ended', async () => (await listed()).length === known.length, WAIT_MS + SLACK_MS);
  t.same((await listed()).sort(), known, 'the others go on');
  for (const id of [aborted, lost.session_id]) {
    const { body } = await service.api('GET', `/v0/vm/${id}`);
    t.match(body, { termination_reason: 'failed', termination_message: /received the answer/ });
    const ended = Date.parse(body.termination_date);
    t.ok(ended - before > WAIT_MS, `${ended - before} ms after the service began to start`);
    t.ok(ended - begun < WAIT_MS + SLACK_MS, `${ended - begun} ms after it was back`);
  }
  await until('those that nobody knew would have ended too', () => Date.now() > begun + WAIT_MS + 2000);
  t.same((await listed()).sort(), known);
  await until('their containers are gone', async () => (await containersOf(service)).length === known.length);
});
