import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { plainAddress } from '../../../src/server/http/client-ip.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { participantWebhook } from '../../fixtures/services/participant-webhook.js';
import { until } from '../../fixtures/until.js';

/** How proxies write an address, and the address. */
const WRITTEN: [written: string, address: string | null][] = [
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7:51001 ', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:51001', '203.0.113.7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%eth0]:80', 'fe80::1'],
  ['', null],
  ['unknown', null],
  ['_hidden', null],
  ['203.0.113.7:', null],
  ['203.0.113.7:999999', null],
  ['203.0.113.256:80', null],
  ['[203.0.113.7]:80', null],
  ['[2001:db8::7', null],
  ['[]:80', null],
  ['example.com:80', null],
];

t.test('an address is read as proxies write it', async t => {
  for (const [written, address] of WRITTEN) t.equal(plainAddress(written), address, JSON.stringify(written));
});

t.test('it is the same one for limits, sockets, the audit log, webhooks and the list of users', async t => {
  const path = join(t.testdir({}), 'audit.log');
  const webhook = await participantWebhook(t);
  const service = await serveInProcess(t, { BERTH_TRUST_PROXY: '1', BERTH_RATE_LIMIT: '40', BERTH_AUDIT_LOG: path });
  const auth = { type: 'webhook', value: { url: webhook.url } };
  const session = await startFakedSession(t, { auth }, service);
  for (const [written, address] of WRITTEN.filter(([, address]) => address !== null).slice(0, 8)) {
    const before = webhook.questions.length;
    const viewer = await session.connect({ 'x-forwarded-for': `198.51.100.1, ${written}` });
    viewer.tell({ type: 'join' });
    const { user_id } = await viewer.heard('welcome');
    t.equal(webhook.questions[before]?.headers['svc-connection-ip'], address, written);
    const list = await session.call('GET', '/users', undefined, session.adminToken, { 'x-forwarded-for': written });
    t.match(list.body, [{ user_id, ip: address }], written);
    viewer.leave();
    await until('the viewer has left', async () => (await session.call('GET', '/users')).body.length === 0);
  }
  const ask = (forwarded: string) =>
    fetch(`${service.url}/s/${session.id}?token=wrong`, { headers: { 'x-forwarded-for': forwarded } });
  for (let port = 1; port <= 40; port++) await ask(`192.0.2.9:${port}`);
  t.equal((await ask('192.0.2.9')).status, 429, 'another port is no other caller');
  t.equal((await ask('192.0.2.10')).status, 401);
  const lines = await until('the audit log is written', async () => {
    const text = await readFile(path, 'utf8');
    return text.includes('192.0.2.10') && text.trim().split('\n');
  });
  for (const line of lines) {
    const { ip } = JSON.parse(line) as { ip?: string };
    if (ip !== undefined) t.equal(plainAddress(ip), ip, line);
  }
});

t.test('an entry that is no address ends what is believed', async t => {
  const path = join(t.testdir({}), 'audit.log');
  const service = await serveInProcess(t, { BERTH_TRUST_PROXY: '2', BERTH_AUDIT_LOG: path });
  const session = await startFakedSession(t, {}, service);
  const seen = async (forwarded: string, address: string) => {
    const headers = { 'x-forwarded-for': forwarded };
    const request = (await session.call('GET', '/users', undefined, session.adminToken, headers)).headers.get(
      'x-request-id',
    );
    const line = await until('it is recorded', async () =>
      (await readFile(path, 'utf8')).split('\n').find(line => line.includes(request ?? '')),
    );
    t.equal((JSON.parse(line) as { ip: string }).ip, address, forwarded);
  };
  await seen('203.0.113.7, 198.51.100.1:80', '203.0.113.7');
  await seen('nonsense, 198.51.100.1:80', '198.51.100.1');
  await seen('203.0.113.7, nonsense', '127.0.0.1');
  await seen('203.0.113.7', '203.0.113.7');
  await seen('192.0.2.1, 203.0.113.7, 198.51.100.1', '203.0.113.7');
});

t.test('whoever trusts everybody is warned at the start', async t => {
  const warned = async (BERTH_TRUST_PROXY: string) =>
    (await serveInProcess(t, { BERTH_TRUST_PROXY, BERTH_LOG_LEVEL: 'warn' })).log().includes('trusts everybody');
  t.ok(await warned('true'));
  t.notOk(await warned('1'));
});
