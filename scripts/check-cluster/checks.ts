import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../src/server/config/index.js';
import type { Endpoint } from '../../src/server/engines/index.js';
import {
  type Cluster,
  KubernetesEngine,
  type KubernetesEngineOptions,
} from '../../src/server/engines/kubernetes/index.js';
import { podSpec, type PodSettings } from '../../src/server/engines/kubernetes/pod-spec.js';
import { newSessionId } from '../../src/server/model/index.js';

/** How a check ended, and what is to be known of it. */
export interface Result {
  verdict: 'PASS' | 'FAIL' | 'SKIP';
  /** A sentence. */
  words: string;
}

/** What checks work with. */
export interface Subject {
  config: Config;
  cluster: Cluster;
  settings: PodSettings;
  engine: KubernetesEngineOptions;
}

export interface Check {
  name: string;
  /** Throws where it fails; its message is the sentence. */
  run(subject: Subject): Promise<string | Result>;
}

const CALL_MS = 10_000;
const START_MS = 180_000;
const GRACE_S = 10;

/** Everything that the service does in a cluster. */
const RIGHTS = [
  ...['create', 'delete', 'get', 'list', 'patch', 'watch'].map(verb => ({ verb, resource: 'pods', group: '' })),
  ...['create', 'delete', 'get', 'update'].map(verb => ({
    verb,
    resource: 'networkpolicies',
    group: 'networking.k8s.io',
  })),
];

const skip = (words: string): Result => ({ verdict: 'SKIP', words });

/** The checks, in an order in which each can do without those behind it. */
export const checks: readonly Check[] = [
  { name: 'API server', run: apiServer },
  { name: 'rights', run: rights },
  { name: 'admission', run: admission },
  { name: 'sandbox', run: sandbox },
  { name: 'network', run: network },
  { name: 'start', run: start },
  { name: 'drain', run: drain },
];

async function apiServer({ cluster }: Subject): Promise<string> {
  const begun = performance.now();
  const { gitVersion } = await cluster.api.call<{ gitVersion: string }>('GET', '/version', { signal: soon() });
  return `Kubernetes ${gitVersion} answered in ${Math.round(performance.now() - begun)} ms.`;
}

async function rights({ cluster, settings }: Subject): Promise<string> {
  const wanted = [
    ...RIGHTS,
    ...(settings.kubernetes.reach === 'port-forward'
      ? [{ verb: 'create', resource: 'pods/portforward', group: '' }]
      : []),
  ];
  const missing: string[] = [];
  for (const { verb, resource, group } of wanted) {
    const [name, subresource] = resource.split('/');
    const { namespace } = settings.kubernetes;
    const { status } = await cluster.api.call<{ status: { allowed: boolean } }>(
      'POST',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      {
        signal: soon(),
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: {
            resourceAttributes: { namespace, verb, group, resource: name, ...(subresource ? { subresource } : {}) },
          },
        },
      },
    );
    if (!status.allowed) missing.push(`${verb} ${resource}`);
  }
  if (missing.length === 0) return `The service may do all that it does in ${settings.kubernetes.namespace}.`;
  throw new Error(`The service may not ${missing.join(', ')} in ${settings.kubernetes.namespace}.`);
}

async function admission({ cluster, settings }: Subject): Promise<string> {
  for (const kind of ['chromium', 'nes'] as const) {
    const pod = podSpec({ sessionId: newSessionId(), kind, linkSecret: 'none' }, settings);
    await cluster.api.call('POST', cluster.path('pods'), { signal: soon(), body: pod, query: { dryRun: 'All' } });
  }
  return 'Pods of sessions are admitted.';
}

async function sandbox({ engine }: Subject): Promise<string> {
  await new KubernetesEngine({ ...engine, egress: { mode: 'open' } }).prepare();
  return "Chromium can make its own sandbox under the Pods' system call filter.";
}

async function network({ config, engine }: Subject): Promise<string | Result> {
  if (config.egress.mode === 'open') return skip('BERTH_EGRESS=open: sessions reach private addresses.');
  const tried = new KubernetesEngine(engine);
  try {
    await tried.prepare();
  } finally {
    await tried.teardown(() => true);
  }
  return `Private addresses are closed to sessions by ${engine.kubernetes.egress}.`;
}

async function start(subject: Subject): Promise<string> {
  return withSession(subject, async (_engine, sessionId, ms) => {
    const { cluster } = subject;
    const pod = await cluster.read(cluster.names.pod(sessionId));
    return `A session's agent listened after ${(ms / 1000).toFixed(1)} s, on the node ${pod?.spec?.nodeName ?? 'unknown'}.`;
  });
}

async function drain(subject: Subject): Promise<string> {
  return withSession(subject, async (_engine, sessionId, _ms, endpoint) => {
    const { cluster } = subject;
    const name = cluster.names.pod(sessionId);
    await cluster.remove(name, GRACE_S);
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

/** Whether the agent says anything to somebody who is no service. */
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

const soon = () => AbortSignal.timeout(CALL_MS);
