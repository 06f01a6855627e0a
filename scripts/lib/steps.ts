import { spawn, type ChildProcess } from 'node:child_process';

/** Runs a command with its output shown; resolves with whether its exit code was 0. */
export function run(command: string, args: string[], env = process.env, signal?: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env, ...(signal ? { signal } : {}) });
    child.once('error', () => resolve(false));
    child.once('close', code => resolve(code === 0));
  });
}

/** Runs a command and resolves with its output, or null if it fails. */
export function output(command: string, args: string[], env = process.env): Promise<string | null> {
  return new Promise(resolve => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.once('error', () => resolve(null));
    child.once('close', code => resolve(code === 0 ? text : null));
  });
}

/** Time for ended programs to clean up, milliseconds. */
const GRACE_MS = 10_000;

/** Ends a process group by its leader, including everything that it started; what does not exit is killed. */
export function stopGroup(child: ChildProcess): void {
  killGroup(child.pid, 'SIGTERM');
  const forced = setTimeout(() => killGroup(child.pid, 'SIGKILL'), GRACE_MS);
  child.once('close', () => clearTimeout(forced));
}

/** Sends a signal to a process group, if it exists. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
