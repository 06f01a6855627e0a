import { spawn } from 'node:child_process';

/** Runs a command with its output shown; resolves with whether it ended with code 0. */
export function run(command: string, args: string[], env = process.env, signal?: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env, ...(signal ? { signal } : {}) });
    child.once('error', () => resolve(false));
    child.once('close', code => resolve(code === 0));
  });
}

/** Runs a command and resolves with what it prints, or null where it fails. */
export function output(command: string, args: string[], env = process.env): Promise<string | null> {
  return new Promise(resolve => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.once('error', () => resolve(null));
    child.once('close', code => resolve(code === 0 ? text : null));
  });
}
