import t, { type Test } from 'tap';
import { GameRecord } from '../../../src/agent/console/record.js';
import { Handover } from '../../../src/agent/handover/handover.js';

const quiet = { info: () => undefined, warn: () => undefined };
const handoverOf = (t: Test) => new Handover(quiet, { folder: t.testdir() });

const PACE = { paused: false, fastForward: false };

t.test('there is no record before the game has arrived', async t => {
  const handover = handoverOf(t);
  const record = new GameRecord(handover);
  record.change({ pace: { paused: true, fastForward: false } });
  t.equal(record.current, undefined);
  t.equal(new GameRecord(handover).current, undefined);
});

t.test('a new agent reads its last version', async t => {
  const handover = handoverOf(t);
  const record = new GameRecord(handover);
  record.begin({ path: '/rom/files/game.m3u', discs: ['Quest (Disc 1)', 'Quest (Disc 2)'] }, 'nestopia', PACE);
  record.change({ hasBegun: true, choice: 'bsnes' });
  record.change({ pace: { paused: true, fastForward: true }, isFast: true });
  const expected = {
    path: '/rom/files/game.m3u',
    discs: ['Quest (Disc 1)', 'Quest (Disc 2)'],
    choice: 'bsnes',
    pace: { paused: true, fastForward: true },
    hasBegun: true,
    isFast: true,
    isEnding: false,
  };
  t.same(new GameRecord(handover).current, expected);
});

t.test('incomplete records are ignored', async t => {
  const handover = handoverOf(t);
  handover.write('game', {
    path: '/rom/files/game.nes',
    discs: [],
    choice: 'nestopia',
    pace: { paused: true },
    hasBegun: true,
    isFast: true,
    isEnding: false,
  });
  t.equal(new GameRecord(handover).current, undefined);
});
