// tags: containers, cluster
import t from 'tap';
import { namesOf } from '../../src/server/engines/kubernetes/names.js';
import { testCluster } from '../fixtures/kubernetes/cluster.js';
import { keepsContract } from '../fixtures/engines/contract.js';

const cluster = await testCluster(t);
const { env } = cluster;
// The engine reads the kubeconfig that this names, as the service's does.
const before = process.env['KUBECONFIG'];
process.env['KUBECONFIG'] = env['KUBECONFIG'];
t.teardown(() => {
  if (before === undefined) delete process.env['KUBECONFIG'];
  else process.env['KUBECONFIG'] = before;
});
const pod = (sessionId: string) => namesOf('berth', null).pod(sessionId);

await keepsContract(t, {
  env,
  withoutImage: {
    BERTH_KUBERNETES_IMAGES: 'chromium=berth-test/none:1.0,console=berth-test/none:1.0',
    BERTH_EGRESS: 'open',
  },
  kill: async sessionId => void (await cluster.inPod(pod(sessionId), 'kill -TERM 1')),
  isGone: async sessionId => !(await cluster.pods()).includes(pod(sessionId)),
});
