import { readdirSync, statSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { withoutPassword } from '../../../src/agent/browser/launch/http-proxy.js';
import { Handover, hasFields, isNumber, isText } from '../../../src/agent/handover/handover.js';
import { storeState, storedState } from '../../../src/agent/session/state.js';
import type { LaunchChromium } from '../../../src/protocol/generated/schemas.js';

const warnings: string[] = [];
const log = { info: () => undefined, warn: (event: string) => void warnings.push(event) };
const isPair = (value: unknown): value is { a: string; b: number } => hasFields(value, { a: isText, b: isNumber });

t.test('written state is read by the next agent, and only by the one it is meant for', async t => {
  const folder = t.testdir();
  new Handover(log, { folder }).write('pair', { a: 'x', b: 1 });
  const other = new Handover(log, { folder });
  t.same(other.read('pair', isPair), { a: 'x', b: 1 });
  t.equal(statSync(`${folder}/pair.json`).mode & 0o777, 0o600);
  t.same(other.names(), ['pair']);
  other.remove('pair');
  t.equal(other.read('pair', isPair), undefined);
  t.same(readdirSync(folder), []);
});

t.test('damaged or foreign files are ignored', async t => {
  const folder = t.testdir();
  const handover = new Handover(log, { folder });
  for (const text of ['', '{', 'null', '[]', '{"a":"x"}', '{"a":1,"b":1}', '{"a":"x","b":null}']) {
    writeFileSync(`${folder}/pair.json`, text);
    t.equal(handover.read('pair', isPair), undefined, text);
  }
});

t.test('where nothing can be written the agent continues', async t => {
  const handover = new Handover(log, { folder: `${t.testdir()}/folder` });
  handover.write('in/no/folder', 1);
  t.same(warnings, ['handover state not written']);
});

t.test('a stored launch omits the proxy credentials', async t => {
  const launch: LaunchChromium = {
    type: 'launch',
    kind: 'chromium',
    display: { width: 1280, height: 720, fps: 30, max_area: 1280 * 720, quality: 'smooth', hide_cursor: false },
    chromium: {
      kiosk: false,
      webgl: false,
      dark: false,
      http_proxy: { pac: 'https://proxy.example/', username: 'me', password: 'the-password' },
    },
  };
  t.match(withoutPassword(launch), {
    kind: 'chromium',
    chromium: { http_proxy: { pac: 'https://proxy.example/', username: 'me' } },
  });
  t.notMatch(JSON.stringify(withoutPassword(launch)), 'the-password');
});

t.test('a session that was launched is at least starting', async t => {
  const handover = new Handover(log, { folder: t.testdir() });
  t.same(storedState(handover), { state: 'starting' });
  storeState(handover, { state: 'running' });
  t.same(storedState(handover), { state: 'running' });
});
