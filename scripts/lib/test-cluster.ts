import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The Kubernetes cluster of a run. */
export interface RunCluster {
  /** Settings by which tests know it. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Settings of an operator for clusters, which the tests take over where KUBECONFIG leads to one. */
const OPERATORS = /^BERTH_KUBERNETES_/;

const isOperators = () => Boolean(process.env['KUBECONFIG'] && process.env['BERTH_KUBERNETES_IMAGES']);

/** Builds the image of the cluster's nodes, silently and as whatever else runs allows; what fails, `runCluster` tells. */
export async function buildCluster(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  if (isOperators()) return;
  const command = ['--as-is', 'test/fixtures/kubernetes/cluster/build.sh', 'berth-test/cluster'];
  const child = spawn('scripts/with-engine.sh', command, { stdio: 'ignore', env, signal });
  await new Promise(resolve => child.once('error', resolve).once('close', resolve));
}

/**
 * The cluster that KUBECONFIG leads to, where BERTH_KUBERNETES_IMAGES says which images it can pull; otherwise one in
 * containers, which is compiled the first time. Null if it does not start.
 */
export async function runCluster(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<RunCluster | null> {
  if (isOperators()) {
    const given = Object.entries(process.env).filter(([name]) => OPERATORS.test(name));
    return { env: Object.fromEntries(given) as Record<string, string>, stop: async () => {} };
  }
  const command = ['--as-is', 'node_modules/.bin/tsx', 'test/fixtures/kubernetes/cluster/shared.ts'];
  const child = spawn('scripts/with-engine.sh', command, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const closed = once(child, 'close');
  const stop = async () => {
    child.stdin.end();
    await closed;
  };
  const onAbort = () => void stop();
  signal.addEventListener('abort', onAbort, { once: true });
  const told = await new Promise<string | null>(resolve => {
    createInterface(child.stdout).once('line', resolve);
    child.once('error', () => resolve(null)).once('close', () => resolve(null));
  });
  if (told === null) return null;
  return { env: JSON.parse(told) as Record<string, string>, stop };
}
