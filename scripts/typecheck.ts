/**
 * Checks the types of every project, two at a time. Incremental results are kept in node_modules/.cache, so that a
 * check after a small change takes a few seconds. Arguments: projects, to check only those.
 */
import { once } from 'node:events';
import { spawn } from 'node:child_process';

const CACHE = 'node_modules/.cache/types';

/** Folders with a tsconfig.json, the slowest first; together they cover every file. */
const PROJECTS = ['.', 'src', 'src/web', 'src/extensions'];

const waiting = process.argv.length > 2 ? process.argv.slice(2) : [...PROJECTS];

async function check(project: string): Promise<void> {
  const cache = `${CACHE}/${project.replaceAll(/\W/g, '-')}.tsbuildinfo`;
  const args = [
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    cache,
    ...(process.stdout.isTTY ? ['--pretty'] : []),
  ];
  const child = spawn('node_modules/.bin/tsc', args, { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}

async function worker(): Promise<void> {
  for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) await check(project);
}

await Promise.all([worker(), worker()]);
