/**
 * Tries on a cluster all that sessions need of it, by Pods that are removed again, and says for each part whether it is
 * there. Takes the settings that the service takes; see docs/how-to/kubernetes.md.
 */
import { parseConfig } from '../src/server/config/index.js';
import { Cluster, namesOf } from '../src/server/engines/kubernetes/index.js';
import { checks } from './check-cluster/checks.js';
import type { Subject } from './check-cluster/subject.js';
import { runChecks } from './lib/checks.js';
import { fail } from './lib/service.js';

const passed = await runChecks(checks, await subjectOrExit(), console.log);
process.exit(passed ? 0 : 1);

async function subjectOrExit(): Promise<Subject> {
  try {
    const config = parseConfig({ BERTH_REGIONS: 'NA=kubernetes:', ...process.env }, process.cwd());
    const address = [...config.regions.values()].find(({ transport }) => transport === 'kubernetes');
    const { kubernetes } = config;
    if (address?.transport !== 'kubernetes' || kubernetes === null) fail('BERTH_REGIONS names no cluster.');
    // A service that runs there is left alone.
    const names = namesOf(`${config.instance.slice(0, 20)}-check`, null);
    const cluster = await Cluster.open(address.context, names, kubernetes);
    const engine = { ...config, cluster, address, kubernetes };
    return {
      config,
      cluster,
      engine,
      settings: { ...engine, names, nodes: address.nodes, filter: null, canary: null },
    };
  } catch (error) {
    return fail((error as Error).message);
  }
}
