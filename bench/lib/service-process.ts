/**
 * The whole service in a process of its own, with logs and audit in files as by default, and two running sessions whose
 * agents are processes of their own: a calm one at 60 frames a second, which answers each key with a patch, and a
 * console with a hostile agent. Argument: a folder. Messages: `{"hostile": true}` has that agent flood its link; all are
 * answered by the processor time and the event loop's delays since the last message.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import { createLogger } from '../../src/server/lib/logger.js';
import { LINK_VERSION } from '../../src/protocol/link-proof.js';
import { Fleet } from '../../src/server/engines/fleet.js';
import type { FakeAgent } from '../../test/fixtures/agents/fake-agent.js';
import { FakeEngine } from '../../test/fixtures/engines/fake-engine.js';
import { serveInProcess } from '../../test/fixtures/services/in-process.js';

const [, , folder = ''] = process.argv;

/** An agent in a process of its own. */
interface ProcessAgent {
  child: ChildProcess;
  port: number;
}

async function startAgent(file: string, ...args: string[]): Promise<ProcessAgent> {
  const child = fork(new URL(file, import.meta.url), args, { execArgv: ['--import', 'tsx'] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

/** For an engine whose containers are agents in processes that run already, the next one for each start. */
class ProcessAgents implements Pick<FakeAgent, 'port' | 'linkVersion' | 'serve'> {
  readonly linkVersion = LINK_VERSION;
  readonly #agents: readonly ProcessAgent[];
  #next = 0;

  constructor(agents: readonly ProcessAgent[]) {
    this.#agents = agents;
  }

  get port(): number {
    return this.#agents[this.#next]?.port ?? 0;
  }

  async serve(secret: string): Promise<string> {
    const agent = this.#agents[this.#next++];
    if (agent === undefined) throw new Error('There is no agent left.');
    agent.child.send({ serve: secret });
    const [{ host }] = (await once(agent.child, 'message')) as [{ host: string }];
    return host;
  }
}

const calm = await startAgent('./agent-process.ts', '60');
const hostile = await startAgent('./hostile-process.ts', 'mixed');
const agents = new ProcessAgents([calm, hostile]);
const fleet = new Fleet([{ engine: new FakeEngine(agents as unknown as FakeAgent), regions: ['NA'], name: 'fake' }]);
const log = createLogger('info', pino.destination({ dest: join(folder, 'log'), sync: true }));
const env = {
  BERTH_AUDIT_LOG: join(folder, 'audit'),
  BERTH_ROM_ALLOW_PRIVATE: 'true',
  BERTH_RATE_LIMIT: '6000',
};
const service = await serveInProcess({ teardown: () => undefined }, env, { log, engines: fleet });
const start = async (path: string, body: object) => {
  const answer = await service.api('POST', path, body);
  const { session_id, embed_url } = (await answer.json()) as { session_id: string; embed_url: string };
  return { base: `${service.url}/s/${session_id}`, token: new URL(embed_url).searchParams.get('token') };
};
const roles = ['control', 'chrome_apis', 'resize', 'cursor_data', 'clipboard_copy', 'file_upload', 'file_download'];
const sessions = [
  await start('/v0/vm', { fps: 60 }),
  await start('/console', { type: 'nes', room_url: 'http://127.0.0.1:9/game.nes', default_roles: roles }),
];
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', (message: { hostile?: boolean }) => {
  if (message.hostile !== undefined) hostile.child.send(message.hostile);
  const ms = (quantile: number) => delay.percentile(quantile) / 1e6;
  process.send?.({ cpu: process.cpuUsage(), delays: { median: ms(50), p99: ms(99), worst: delay.max / 1e6 } });
  delay.reset();
});
process.send?.({ sessions });
// Ends with the benchmark, however that ends.
process.on('disconnect', () => {
  for (const { child } of [calm, hostile]) child.disconnect();
  process.exit();
});
