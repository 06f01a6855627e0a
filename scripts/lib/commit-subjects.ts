import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** Commits up to this one are not checked. */
const SINCE = '3b29b4e951fea52b2970fb4d41c765d741043588';

const MAX_LENGTH = 72;
const AREA = /^[a-z0-9][a-z0-9-]*(, [a-z0-9][a-z0-9-]*)*: /;

export interface Commit {
  hash: string;
  parents: readonly string[];
  subject: string;
}

/** The commits of the history in `folder` after `since`, the latest first; null if it does not reach back to there. */
export async function commitsOf(folder: string, since = SINCE): Promise<Commit[] | null> {
  const git = async (...args: string[]) => (await exec('git', ['-C', folder, ...args])).stdout;
  try {
    await git('merge-base', '--is-ancestor', since, 'HEAD');
  } catch {
    return null;
  }
  const lines = (await git('log', '--format=%h%x09%p%x09%s', `${since}..HEAD`)).split('\n').filter(Boolean);
  return lines.map(line => {
    const [hash = '', parents = '', ...subject] = line.split('\t');
    return { hash, parents: parents.split(' '), subject: subject.join('\t') };
  });
}

/** What is wrong with a commit, as the end of a sentence; empty if it follows CONTRIBUTING.md. */
export function faultsOf({ parents, subject }: Commit): string[] {
  if (parents.length > 1) return ['is a merge: rebase instead'];
  const area = AREA.exec(subject)?.[0];
  const faults: string[] = [];
  if (area === undefined) faults.push('has no area in front (`agent: …`)');
  else if (!/^[A-Z]/.test(subject.slice(area.length))) faults.push('does not go on with a capital after the area');
  if (subject.length > MAX_LENGTH) faults.push(`has ${subject.length} characters, more than ${MAX_LENGTH}`);
  if (subject.endsWith('.')) faults.push('ends in a period');
  return faults;
}
