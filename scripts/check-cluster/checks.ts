import type { V1Node, V1NodeList } from '@kubernetes/client-node';
import { KubernetesEngine } from '../../src/server/engines/kubernetes/index.js';
import { ApiError } from '../../src/server/engines/kubernetes/client.js';
import { podSpec } from '../../src/server/engines/kubernetes/pod-spec.js';
import { newSessionId } from '../../src/server/model/index.js';
import { type Check, type Result, skip } from '../lib/checks.js';
import { images } from './images.js';
import { drain, start } from './session.js';
import type { Subject } from './subject.js';

const CALL_MS = 10_000;

/** Everything that the service does in a cluster. */
const RIGHTS = [
  ...['create', 'delete', 'get', 'list', 'patch', 'watch'].map(verb => ({ verb, resource: 'pods', group: '' })),
  ...['create', 'delete', 'get', 'update'].map(verb => ({
    verb,
    resource: 'networkpolicies',
    group: 'networking.k8s.io',
  })),
];

/** The checks, in their order. */
export const checks: readonly Check<Subject>[] = [
  { name: 'API server', run: apiServer },
  { name: 'rights', needs: ['API server'], run: rights },
  { name: 'admission', needs: ['API server'], run: admission },
  { name: 'nodes', needs: ['admission'], run: nodes },
  { name: 'images', needs: ['admission'], run: images },
  { name: 'sandbox', needs: ['images'], run: sandbox },
  { name: 'network', needs: ['images'], run: network },
  { name: 'start', needs: ['rights', 'images'], run: start },
  { name: 'drain', needs: ['rights', 'images'], run: drain },
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
      ? ['get', 'create'].map(verb => ({ verb, resource: 'pods/portforward', group: '' }))
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
  if (missing.length === 0 && !(await cluster.mayReachAgents())) missing.push('forward ports of pods');
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

/** The service may not look at nodes; the operator may. */
async function nodes({ cluster, settings }: Subject): Promise<string | Result> {
  const wanted = Object.entries(settings.nodes).map(([label, value]) => `${label}=${value}`);
  let found: V1Node[];
  try {
    const query = { labelSelector: wanted.join(',') };
    found = (await cluster.api.call<V1NodeList>('GET', '/api/v1/nodes', { signal: soon(), query })).items;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403)
      return skip('Nodes cannot be listed with these credentials.');
    throw error;
  }
  const ready = found.filter(({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  );
  const where = wanted.length === 0 ? '' : ` with ${wanted.join(', ')}`;
  if (ready.length === 0) return skip(`No node${where} is ready, which is fine only if nodes are created on demand.`);
  return `${ready.length} of ${found.length} nodes${where} are ready.`;
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

const soon = () => AbortSignal.timeout(CALL_MS);
