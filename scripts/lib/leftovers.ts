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
 * Containers, networks and firewall chains of tests that exist now, except for those in `before`. Only root sees the
 * firewall.
 */
export async function traces(before: ReadonlySet<string> = new Set()): Promise<string[]> {
  const containers = await docker('ps', '-a', '--format', '{{.ID}} {{.Names}} {{.Image}} {{.Labels}}');
  const networks = await docker('network', 'ls', '--format', '{{.Name}} {{.Labels}}');
  const rules = await output('iptables-save', []);
  const all = [...marked('container', containers ?? ''), ...marked('network', networks ?? ''), ...chains(rules ?? '')];
  return all.filter(trace => !before.has(trace));
}

/**
 * The traces that are not in `before` and that still exist after a grace period of a few seconds. Another run that was
 * killed may have left those in `before`.
 */
export async function leftovers(before: ReadonlySet<string>): Promise<string[]> {
  const end = Date.now() + 15_000;
  for (;;) {
    const left = await traces(before);
    if (left.length === 0 || Date.now() > end) return left;
    await sleep(500);
  }
}

const docker = (...args: string[]) => output('scripts/with-engine.sh', ['--as-is', 'docker', ...args]);
