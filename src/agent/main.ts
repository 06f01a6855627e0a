/** The agent: runs in a session's container, keeps its programs running and serves the link. */
import { AGENT_PORT } from '../protocol/message-type.js';
import { Agent } from './agent.js';
import { makeLog } from './log.js';
import type { LinkServer } from './link/server.js';
import { childEnvironment } from './process/environment.js';

/** Milliseconds after which a stop that hangs is cut short, so that the container is gone within three seconds. */
const STOP_TIMEOUT = 2600;

const log = makeLog(line => process.stdout.write(line));
const secret = process.env['BERTH_LINK_SECRET'];
delete process.env['BERTH_LINK_SECRET'];
if (!secret) {
  log.warn('BERTH_LINK_SECRET is not set: nobody could command this container');
  process.exit(1);
}

const agent = new Agent({ log, env: childEnvironment(process.env), xServer: Number(process.env['BERTH_X_SERVER']) || undefined });
let server: LinkServer | undefined;
let stopping = false;
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(code), STOP_TIMEOUT);
  await Promise.allSettled([agent.stop(), server?.stop()]);
  log.info('stopped');
  process.exit(code);
}
process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));
process.on('uncaughtException', error => {
  log.warn('unexpected error', { error: error.stack ?? String(error) });
  void stop(1);
});

agent.start();
// Loaded while the X server starts, which is what everything else waits for.
const link = await import('./link/server.js');
server = new link.LinkServer(secret, agent, agent, log);
log.info('listening', { port: await server.listen(AGENT_PORT) });
