/** Which addresses requests to others never go to, where sessions are Pods. */
import t from 'tap';
import { parseConfig } from '../../../src/server/config/index.js';
import type { Cluster } from '../../../src/server/engines/kubernetes/cluster.js';
import { ApiServer } from '../../../src/server/engines/kubernetes/client.js';
import { KubernetesEngine, namesOf } from '../../../src/server/engines/kubernetes/index.js';
import { PodWatch } from '../../../src/server/engines/kubernetes/pod-watch.js';
import { FakeApiServer } from '../../fixtures/kubernetes/fake-api-server.js';
import { until } from '../../fixtures/until.js';

t.test('while Pods are not watched, an engine does not say that it has none', async t => {
  const server = await new FakeApiServer().start(t);
  const pods = new PodWatch(new ApiServer(server.config), 'berth', 'berth.role=session');
  const images = ['chromium', 'console'].map(name => `${name}=registry.example/berth/${name}:0.1.0`).join();
  const config = parseConfig({ BERTH_REGIONS: 'EU=kubernetes:west', BERTH_KUBERNETES_IMAGES: images }, t.testdir());
  const address = config.regions.get('EU');
  if (address?.transport !== 'kubernetes' || config.kubernetes === null) throw new Error('not on Kubernetes');
  const cluster = { pods, names: namesOf('test', 'store'), hosts: async () => [] } as unknown as Cluster;
  const engine = new KubernetesEngine({ ...config, cluster, address, kubernetes: config.kubernetes });
  await t.rejects(engine.addresses(), { name: 'EngineError', failure: 'unavailable' }, 'not yet');

  server.set('first', { status: { podIP: '10.1.2.3' } });
  server.set('second', { status: { podIP: 'fd00::7' } });
  const unheard = () => {};
  const watching = engine.watch({
    connected: unheard,
    disconnected: unheard,
    exited: unheard,
    leaving: unheard,
    restored: unheard,
    exposed: unheard,
  });
  t.teardown(() => watching.stop());
  await until('it watches', () => pods.pods !== null);
  t.same((await engine.addresses()).networks, ['10.1.2.3/32', 'fd00::7/128']);

  server.fault = (_, response) => {
    response.destroy();
    return true;
  };
  server.end('cut');
  await until('the watch is lost', () => pods.pods === null);
  await t.rejects(engine.addresses(), { name: 'EngineError', failure: 'unavailable' });
});
