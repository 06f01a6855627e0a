import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CHART = 'deploy/helm/berth';
const IMAGE = 'berth-test/chart';
const BUILD = '. images/lib/builder.sh && choose_builder && exec docker build -q --force-rm "$@"';

export interface Release {
  name: string;
  namespace: string;
  /** Lie over the chart's own. */
  values: object;
  /** What the cluster has of what clusters may lack, like `policy/v1/PodDisruptionBudget`. */
  versions: readonly string[];
}

/**
 * The chart's manifests for a release, as one YAML text: by helm where the machine has it, otherwise by the template
 * engine that helm uses, in a container.
 */
export async function renderChart(release: Release): Promise<string> {
  return (await hasHelm()) ? withHelm(release) : withoutHelm(release);
}

const hasHelm = () =>
  run('helm', ['version']).then(
    () => true,
    () => false,
  );

async function withHelm({ name, namespace, values, versions }: Release): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-chart-'));
  try {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify(values));
    const apis = versions.flatMap(version => ['--api-versions', version]);
    const { stdout } = await run('helm', [
      'template',
      name,
      CHART,
      '--namespace',
      namespace,
      '--values',
      file,
      ...apis,
    ]);
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

let building: Promise<unknown> | null = null;

async function withoutHelm({ name, namespace, values, versions }: Release): Promise<string> {
  await (building ??= run('sh', ['-c', BUILD, 'sh', '--tag', IMAGE, 'scripts/lib/chart']));
  const mount = `${process.cwd()}/${CHART}:/chart:ro`;
  const given = ['/chart', name, namespace, JSON.stringify(values), ...versions];
  const { stdout } = await run('docker', ['run', '--rm', '--network=none', `--volume=${mount}`, IMAGE, ...given]);
  return stdout;
}
