// tags: containers, alone
import { readFile } from 'node:fs/promises';
import t from 'tap';
import type { GameState } from '../../../src/protocol/generated/schemas.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { until } from '../../fixtures/until.js';
import { start, stepsOf, type Kind } from './console.js';
import { Service } from './service.js';

const folder = await testCards(t);

/** How long the speed is measured, ms, and how many colours the slow cards show in that time at their own speed. */
const MEASURE_MS = 6000;
const PLAIN_STEPS = 11.25;

for (const [kind, file] of [
  ['nes', 'card-slow.nes'],
  ['n64', 'card-slow.z64'],
] as const satisfies readonly [Kind, string][]) {
  t.test(`${kind}: the next agent keeps a faster speed, and can set it back`, async t => {
    const { computer, service, insert, colour } = await start(t, kind, { width: 640, height: 480 });
    await until('the agent wants the game', () => service.wants.length > 0);
    t.equal((await insert(await readFile(`${folder}/${file}`), file)).status, 204);
    await until('it is played faster', () =>
      service.call('console.fastForward', true).then(
        () => true,
        () => false,
      ),
    );

    await computer.kill(/^node .*agent\/load\.cjs/);
    const next = await Service.connect(t, computer);
    const told = () => next.heard.filter((message): message is GameState => message.type === 'game').at(-1);
    await until('the pace is told', () => told() !== undefined);
    t.match(told(), { paused: false, fast_forward: true });
    t.same(next.wants, [], 'it has the game');
    const fast = await stepsOf(colour, MEASURE_MS);
    t.ok(fast >= 2.2 * PLAIN_STEPS, `${(fast / PLAIN_STEPS).toFixed(1)} times as fast`);

    await next.call('console.fastForward', false);
    t.match(told(), { fast_forward: false });
    const plain = await stepsOf(colour, MEASURE_MS);
    t.ok(plain >= 8 && plain <= 13, `${plain} colours at its own speed, ${PLAIN_STEPS} are expected`);
  });
}
