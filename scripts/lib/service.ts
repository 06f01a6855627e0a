/** The service that `make up` runs in the background: its files, its process, its address. */
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseConfig, type Config } from '../../src/server/config/config.js';
import { ConfigError } from '../../src/server/config/environment.js';

const SERVER = 'dist/server.js';
const LOG_MAX_BYTES = 20 << 20;

export interface Files {
  pid: string;
  log: string;
  /** What the running service was started with, to notice that a restart is due. */
  build: string;
}

/** The configuration from the environment; ends the program with one sentence where it is not valid. */
export function configOrExit(): Readonly<Config> {
  try {
    return parseConfig(process.env, process.cwd());
  } catch (error) {
    if (error instanceof ConfigError) fail(error.message);
    throw error;
  }
}

/** Ends the program with a sentence. */
export function fail(sentence: string): never {
  console.error(`berth: ${sentence}`);
  process.exit(1);
}

export function filesIn(dataDir: string): Files {
  return {
    pid: join(dataDir, 'service.pid'),
    log: join(dataDir, 'service.log'),
    build: join(dataDir, 'service.build'),
  };
}

/** The process id of the service if it runs. A number that another process has by now does not count. */
export function runningPid(files: Files): number | null {
  try {
    const pid = Number(readFileSync(files.pid, 'utf8'));
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(SERVER) ? pid : null;
  } catch {
    return null;
  }
}

/** Differs when a running service should be restarted: the program or its settings changed. */
export function buildId(env: NodeJS.ProcessEnv): string {
  const settings = Object.entries(env)
    .filter(([name]) => name.startsWith('BERTH_'))
    .sort();
  return createHash('sha256').update(readFileSync(SERVER)).update(JSON.stringify(settings)).digest('hex');
}

/** Starts the service on its own, detached from this terminal. */
export function startService(files: Files, env: NodeJS.ProcessEnv): void {
  mkdirSync(join(files.log, '..'), { recursive: true, mode: 0o700 });
  if ((statSync(files.log, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX_BYTES)
    renameSync(files.log, `${files.log}.1`);
  const log = openSync(files.log, 'a', 0o600);
  const child = spawn(process.execPath, ['--enable-source-maps', SERVER], {
    detached: true,
    stdio: ['ignore', log, log],
    env,
  });
  if (child.pid === undefined) fail('the service could not be started; is node still installed?');
  writeFileSync(files.pid, `${child.pid}\n`);
  writeFileSync(files.build, buildId(env));
  child.unref();
}

/** Ends the service: asks, and after 10 s insists. Resolves when it is gone. */
export async function stopService(files: Files): Promise<void> {
  const pid = runningPid(files);
  if (pid !== null) {
    process.kill(pid, 'SIGTERM');
    const end = Date.now() + 10_000;
    while (runningPid(files) !== null && Date.now() < end) await sleep(50);
    if (runningPid(files) !== null) process.kill(pid, 'SIGKILL');
  }
  rmSync(files.pid, { force: true });
  rmSync(files.build, { force: true });
}

/** Where the service answers on this machine. */
export function localAddress(config: Config): string {
  const host =
    config.host === '0.0.0.0' || config.host === '::' || config.host === '127.0.0.1' ? 'localhost' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
}

/** The first API key: the configured one, or the one that the service made. */
export function apiKey(config: Config): string {
  return config.apiKeys[0] ?? readFileSync(join(config.dataDir, 'api-key'), 'utf8').trim();
}

/** The last lines of a log. */
export function tail(path: string, lines: number): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
