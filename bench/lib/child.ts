import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Scope } from './scope.js';

/** Runs a TypeScript file in a new process; returns the first message that it sends. */
export async function startChild<T>(
  scope: Scope,
  url: URL,
  args: readonly string[] = [],
): Promise<{ child: ChildProcess; hello: T }> {
  const child = fork(url, args, { execArgv: ['--import', 'tsx'] });
  scope.teardown(() => child.connected && child.disconnect());
  const [hello] = (await once(child, 'message')) as [T];
  return { child, hello };
}
