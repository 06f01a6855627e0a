import t from 'tap';
import type { Launch } from '../../../src/protocol/generated/schemas.js';
import { startSession, targetOf } from '../../fixtures/services/session-host.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const launch: Launch = {
  type: 'launch',
  kind: 'nes',
  display: { width: 1280, height: 720, fps: 60, max_area: 1280 * 720, quality: 'smooth', hide_cursor: false },
  console: { max_bytes: 1e6 },
};
const defaults: ReturnType<typeof targetOf>['defaults'] = { roles: [], control_disabled: true };
const game = (paused: boolean, fast_forward: boolean) => ({ type: 'game', paused, fast_forward }) as const;

t.test("all viewers are told the game's state, whatever their roles, later ones at once", async t => {
  const { agent, url } = await startSession(t, { launch, defaults });
  const one = await StreamClient.join(url);
  t.same(one.all('game'), [], 'nobody knows yet');
  agent.tell(game(false, false));
  agent.tell(game(true, false));
  await one.heard('game', ({ paused }) => paused);
  const two = await StreamClient.join(url);
  t.same(two.all('game'), [game(true, false)], 'before it has joined');
  agent.tell(game(true, true));
  for (const viewer of [one, two]) await viewer.heard('game', ({ fast_forward }) => fast_forward);
  t.same(one.all('game'), [game(false, false), game(true, false), game(true, true)]);
});

t.test("an agent's repeated state is not sent again", async t => {
  const { agent, url } = await startSession(t, { launch, defaults });
  const viewer = await StreamClient.join(url);
  for (const paused of [true, true, true, false]) agent.tell(game(paused, false));
  await viewer.heard('game', ({ paused }) => !paused);
  t.same(viewer.all('game'), [game(true, false), game(false, false)]);
});

t.test("all viewers are told a game's discs, and which one is inside, later ones at once", async t => {
  const { agent, url } = await startSession(t, { launch, defaults });
  const one = await StreamClient.join(url);
  const labels = ['Quest (Disc 1)', 'Quest (Disc 2)'];
  const discs = (disc: number) => ({ type: 'discs' as const, disc, labels });
  agent.tell(discs(1));
  agent.tell(discs(1));
  agent.tell({ ...discs(1), labels: labels.slice(1) });
  agent.tell(discs(2));
  await one.heard('discs', ({ disc }) => disc === 2);
  t.same(one.all('discs'), [discs(1), discs(2)], 'once each, and no single disc');
  const two = await StreamClient.join(url);
  t.same(two.all('discs'), [discs(2)], 'before it has joined');
});

t.test('a browser has no game state, whatever its agent says', async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  agent.tell(game(true, true));
  agent.tell({ type: 'discs', disc: 1, labels: ['1', '2'] });
  agent.tell({ type: 'event', name: 'tabs.onRemoved', args: [] });
  await until('what was told after it has come', () => viewer.all('event').length > 0);
  t.same([...viewer.all('game'), ...viewer.all('discs')], []);
});
