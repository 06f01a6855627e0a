import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '../../src/server/engines/index.js';
import { KubernetesEngine } from '../../src/server/engines/kubernetes/index.js';
import { newSessionId } from '../../src/server/model/index.js';
import type { Subject } from './subject.js';

const CALL_MS = 10_000;
const START_MS = 180_000;
const GRACE_S = 10;

/** Starts a session's Pod, and waits for its agent. */
export async function start(subject: Subject): Promise<string> {
  return withSession(subject, async (_engine, sessionId, ms) => {
    const { cluster } = subject;
    const pod = await cluster.read(cluster.names.pod(sessionId));
    return `A session's agent listened after ${(ms / 1000).toFixed(1)} s, on the node ${pod?.spec?.nodeName ?? 'unknown'}.`;
  });
}

/** Deletes a session's Pod as a drain does. */
export async function drain(subject: Subject): Promise<string> {
  return withSession(subject, async (_engine, sessionId, _ms, endpoint) => {
    const { cluster } = subject;
    const name = cluster.names.pod(sessionId);
    // Unlike the end of a session by the service, which closes its connections too.
    await cluster.api.call('DELETE', cluster.path('pods', name), {
      signal: AbortSignal.timeout(CALL_MS),
      body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: GRACE_S },
    });
    await sleep(2000);
    if (!(await answers(endpoint)))
      throw new Error('A Pod that was told to go ended at once: profiles would not be saved when a node is drained.');
    const end = performance.now() + (GRACE_S + 30) * 1000;
    while ((await cluster.read(name)) !== null) {
      if (performance.now() > end) throw new Error(`A Pod with ${GRACE_S} s of grace was still there 30 s later.`);
      await sleep(250);
    }
    return 'A Pod that is told to go keeps running for its grace, and then goes.';
  });
}

/** Runs a session's Pod for as long as `work` takes. `ms`: until its agent listened. */
async function withSession<T>(
  { engine: options }: Subject,
  work: (engine: KubernetesEngine, sessionId: string, ms: number, endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  const engine = new KubernetesEngine({ ...options, egress: { mode: 'open' } });
  await engine.prepare();
  const sessionId = newSessionId();
  const begun = performance.now();
  try {
    const request = { sessionId, kind: 'chromium' as const, linkSecret: 'none' };
    const endpoint = await engine.start(request, AbortSignal.timeout(START_MS));
    while (!(await answers(endpoint))) {
      if (performance.now() - begun > START_MS) throw new Error('The agent of a session cannot be reached.');
      await sleep(50);
    }
    return await work(engine, sessionId, performance.now() - begun, endpoint);
  } finally {
    await engine.stop(sessionId);
  }
}

/** Whether the agent reveals anything to a caller that is not the service. */
function answers({ host, port }: Endpoint): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, host, () => socket.write('GET / HTTP/1.1\r\nhost: agent\r\n\r\n'));
    const end = (does: boolean) => {
      socket.destroy();
      resolve(does);
    };
    socket
      .on('data', () => end(true))
      .on('error', () => end(false))
      .on('close', () => end(false));
    socket.setTimeout(3000, () => end(false));
  });
}
