/**
 * Requests per second that the service answers about a session, compared with a bare Express route with the same
 * answer.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startBerth, startSession } from './lib/berth.js';
import { showLoad, summary, SUMMARY_HEAD, table } from './lib/report.js';
import { requestRate } from './lib/requests.js';
import { bench, type Scope } from './lib/scope.js';
import { median, shuffled } from './lib/statistics.js';

const ROUNDS = 7;
const LOAD = { ms: 2000, connections: 16 };
const SIZE = { width: 1280, height: 720 };

await bench('GET /v0/vm/{id}, answers a second', async scope => {
  const service = await startBerth(scope);
  const { id } = await startSession(service, { url: 'about:blank', ...SIZE });
  const path = `/v0/vm/${id}`;
  const answer: unknown = (await service.api('GET', path)).body;
  const bare = await bareExpress(scope, answer);
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const sides = [service.url, bare].map(origin => ({
    url: origin + path,
    rates: [] as number[],
    times: [] as number[],
  }));
  showLoad();
  for (let round = -1; round < ROUNDS; round++) {
    for (const { url, rates, times } of shuffled(sides)) {
      const measured = await requestRate(url, headers, LOAD);
      if (round < 0) continue;
      rates.push(measured.perSecond);
      times.push(...measured.times);
    }
  }
  const [berth, express] = sides;
  table([
    SUMMARY_HEAD('/s'),
    summary('Berth', berth?.rates ?? [], 0),
    summary('bare Express', express?.rates ?? [], 0),
  ]);
  table([
    SUMMARY_HEAD('ms'),
    summary('Berth', berth?.times ?? [], 2),
    summary('bare Express', express?.times ?? [], 2),
  ]);
  const share = median(berth?.rates ?? []) / median(express?.rates ?? []);
  console.log(
    `Berth answers ${share.toFixed(2)} of the bare route's rate, with its key check, validation, store and log`,
  );
});

/** Starts the bare server in its own process, like the service; returns its origin. */
async function bareExpress(scope: Scope, answer: unknown): Promise<string> {
  const args = ['--import', 'tsx', 'bench/lib/bare-express.ts', JSON.stringify(answer)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  scope.teardown(() => child.kill());
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return `http://localhost:${port.toString().trim()}`;
}
