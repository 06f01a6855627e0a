import { pino } from 'pino';
import t from 'tap';
import type { ImageInfo } from '../../src/server/engines/engine.js';
import { Fleet } from '../../src/server/engines/fleet.js';
import { clock } from '../../src/server/lib/clock.js';
import { ImageReport } from '../../src/server/image-report.js';
import { FakeAgent } from '../fixtures/agents/fake-agent.js';
import { FakeEngine } from '../fixtures/engines/fake-engine.js';
import { until } from '../fixtures/until.js';

const DAY_MS = 86_400_000;

const chromium = (packagesAt: number | null): ImageInfo => ({
  image: 'chromium',
  tag: '1.0.0-abc',
  packagesAt,
  program: 'chromium 156.0',
});

/** What a service whose images these are writes to its log when it starts. */
async function logged(...has: ImageInfo[]): Promise<Record<string, unknown>[]> {
  const engine = new FakeEngine(new FakeAgent());
  engine.has = has;
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const report = new ImageReport(new Fleet([{ engine, regions: ['NA'], name: 'fake' }]), 7, log);
  report.start();
  await until('the log has a line for each image', () => lines.length === has.length);
  report.stop();
  return lines;
}

t.test('the log has version and age of each image', async t => {
  const [line] = await logged(chromium(clock.now() - 6.5 * DAY_MS));
  t.same(line, {
    level: 30,
    image: 'chromium',
    tag: '1.0.0-abc',
    program: 'chromium 156.0',
    engine: 'fake',
    packages_days: 6,
    msg: 'image',
  });
});

t.test('outdated packages are a warning, and so is an unknown age', async t => {
  const lines = await logged(chromium(clock.now() - 7 * DAY_MS), chromium(null));
  for (const line of lines) t.match(line, { level: 40, msg: /make images/ });
  t.same(
    lines.map(line => line['packages_days']),
    [7, null],
  );
});

t.test('an engine that does not answer does not hide the others', async t => {
  const [well, ill] = [new FakeEngine(new FakeAgent()), new FakeEngine(new FakeAgent())];
  well.has = [chromium(0)];
  ill.images = () => Promise.reject(new Error('no answer'));
  const fleet = new Fleet([
    { engine: ill, regions: ['EU'], name: 'ill' },
    { engine: well, regions: ['NA'], name: 'well' },
  ]);
  const images = await new ImageReport(fleet, 7, pino({ level: 'silent' })).images();
  t.same(
    images.map(({ engine }) => engine),
    ['well'],
  );
});
