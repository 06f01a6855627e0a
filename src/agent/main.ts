/**
 * The agent: runs in a session's container, keeps its programs running and serves the link. The container's start
 * script restarts it when it dies.
 */
import { AGENT_PORT } from '../protocol/message-type.js';
import { Agent } from './agent.js';
import { EXPOSED, reaches } from './lib/canary.js';
import { Handover } from './handover/handover.js';
import { preparationIn } from './session/launch.js';
import { authorizationOf } from './link/authorization.js';
import { makeLog } from './lib/log.js';
import type { LinkServer } from './link/server.js';
import { killOrphans } from './process/adopted.js';
import { childEnvironment } from './process/environment.js';
import { recordedProcesses } from './process/program.js';

/** Milliseconds after which a hanging stop is forced, so that the container is gone within three seconds. */
const STOP_TIMEOUT = 2600;

/** Exit status of an agent that a restart would not help (images/base/etc/start). */
const USELESS = 2;

const log = makeLog(line => process.stdout.write(line));
const secret = process.env['BERTH_LINK_SECRET'];
delete process.env['BERTH_LINK_SECRET'];
if (!secret) {
  log.warn('BERTH_LINK_SECRET is not set: nobody could control this container');
  process.exit(USELESS);
}

// An address that must be closed to this container, and is no business of its programs.
const canary = process.env['BERTH_CANARY'];
delete process.env['BERTH_CANARY'];

const caCertificates = (process.env['BERTH_CA_CERTIFICATES'] ?? '').split(',').filter(Boolean);

const handover = new Handover(log, { pipes: process.env['BERTH_STDERR_PIPES'] });
const agent = new Agent({
  log,
  env: childEnvironment(process.env),
  handover,
  readyFd: Number(process.env['BERTH_READY_FD']) || undefined,
  hasDesktop: process.env['BERTH_DESKTOP'] !== 'none',
  preparation: preparationIn(process.env['BERTH_PREPARE']),
  scrcpyServer: '/opt/berth/scrcpy-server',
  caCertificates,
});
let server: LinkServer | undefined;
let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(), STOP_TIMEOUT);
  await Promise.allSettled([agent.stop(), server?.stop()]);
  log.info('stopped');
  process.exit();
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
process.on('uncaughtException', error => {
  log.warn('unexpected error', { error: error.stack ?? String(error) });
  // The programs keep running for the next agent.
  process.exit(stopping ? 0 : 1);
});

// Here, since it ends processes that are not the agent's own: the container is, other places are not.
agent.start(killOrphans(recordedProcesses(handover)));
if (canary)
  void reaches(canary).then(does => {
    if (!does) return;
    log.warn('the network of this container is not closed');
    process.exit(EXPOSED);
  });
// Loaded while the X server starts, on which everything else waits.
void import('./link/server.js').then(async ({ LinkServer }) => {
  server = new LinkServer(authorizationOf(secret, process.env['BERTH_LINK_VERSION']), agent, agent, log);
  const fd = Number(process.env['BERTH_LISTEN_FD']);
  log.info('listening', { port: await server.listen(fd ? { fd } : { port: AGENT_PORT }) });
});
