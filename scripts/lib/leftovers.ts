import { setTimeout as sleep } from 'node:timers/promises';
import { output } from './steps.js';

/**
 * Prefix of the names and labels of everything that tests start in an engine: the service's BERTH_INSTANCE has it, and
 * the names of tests' own containers.
 */
export const TEST_MARK = 'berth-test';

/** Firewall chains of such an instance; their names end with the instance's hash. */
const TEST_CHAIN = /^:(BERTH-[FI]-berth-[0-9a-f]{6}) /gm;

/** Names of tests' firewall chains in the output of iptables-save. */
export function chains(rules: string): string[] {
  return [...rules.matchAll(TEST_CHAIN)].map(match => `firewall chain ${match[1]}`);
}

/** Lines of `text` that name something a test started. */
export function marked(kind: string, text: string): string[] {
  return text
    .split('\n')
    .filter(line => line.includes(TEST_MARK))
    .map(line => `${kind} ${line.trim()}`);
}

/**
 * Containers, networks and firewall chains of tests that still exist after a grace period of a few seconds. Only root
 * sees the firewall.
 */
export async function leftovers(): Promise<string[]> {
  const end = Date.now() + 15_000;
  for (;;) {
    const left = await look();
    if (left.length === 0 || Date.now() > end) return left;
    await sleep(500);
  }
}

const docker = (...args: string[]) => output('scripts/with-engine.sh', ['--as-is', 'docker', ...args]);

async function look(): Promise<string[]> {
  const containers = await docker('ps', '-a', '--format', '{{.Names}} {{.Image}} {{.Status}} {{.Labels}}');
  const networks = await docker('network', 'ls', '--format', '{{.Name}} {{.Labels}}');
  const rules = await output('iptables-save', []);
  return [...marked('container', containers ?? ''), ...marked('network', networks ?? ''), ...chains(rules ?? '')];
}
