import { spawn } from 'node:child_process';

/** The result of the registry's audit of the service's dependencies. */
export type Audit = { result: 'clean' | 'vulnerable'; report: string } | { result: 'unknown'; report: string };

/** Queries the npm registry for known vulnerabilities, high or critical, in the packages that the service runs with. */
export function audit(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Audit> {
  return new Promise(resolve => {
    const args = ['audit', '--omit=dev', '--audit-level=high', '--json'];
    const child = spawn('npm', args, { stdio: ['ignore', 'pipe', 'ignore'], env, signal });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.once('error', error => resolve({ result: 'unknown', report: error.message }));
    child.once('close', code => resolve(judge(text, code)));
  });
}

/** Interprets the output of `npm audit --json` with this exit code. Not every registry supports audits. */
export function judge(text: string, code: number | null): Audit {
  const answer = parse(text);
  const vulnerabilities = answer?.vulnerabilities;
  if (vulnerabilities === undefined) {
    return { result: 'unknown', report: answer?.message ?? 'the npm registry does not answer audits' };
  }
  if (code === 0) return { result: 'clean', report: '' };
  const found = Object.values(vulnerabilities).map(({ name, severity, range }) => `${name} ${range}: ${severity}`);
  return { result: 'vulnerable', report: found.join('\n') };
}

interface Answer {
  message?: string;
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>;
}

function parse(text: string): Answer | null {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return null;
  }
}
