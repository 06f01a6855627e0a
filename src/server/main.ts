import { ConfigError, loadCredentials, parseConfig } from './config/index.js';
import { EngineError } from './engines/index.js';
import { createLogger } from './lib/logger.js';
import { standardOutput } from './lib/standard-output.js';
import { runService } from './service.js';
import { teardown } from './teardown.js';

/** The process exits at the latest this long after it was asked to stop. */
const STOP_TIMEOUT_MS = 4500;

/** How long an exit waits for the log to be written. */
const LOG_TIMEOUT_MS = 500;

const NOT_REMOVED = 'Not everything was removed; run it again when the engine works.';
const NOT_APART =
  'Network isolation of the sessions failed, so the service does not start; see docs/explanation/security.md, or set BERTH_EGRESS=open.';

// Files that the service creates are readable only by its user.
process.umask(0o077);

try {
  const config = parseConfig(process.env, process.cwd());
  const log = createLogger(config.logLevel);
  const [command, ...flags] = process.argv.slice(2);
  const all = flags.join(' ') === '--all';
  if (command === 'teardown' && (all || flags.length === 0)) await teardown(config, log, { all });
  else if (command === undefined) await serve();
  else {
    const given = [command, ...flags].join(' ');
    throw new ConfigError(`Unknown command "${given}": there is only teardown, and teardown --all.`);
  }

  async function serve(): Promise<void> {
    const service = await runService(config, await loadCredentials(config), log);
    const stop = (signal: string) => {
      log.info({ signal }, 'service stopping');
      setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
      service.stop().then(
        () => exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'service did not stop cleanly');
          return exit(1);
        },
      );
    };
    // An error in one session's handling must not end all others.
    process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled rejection'));
    process.once('SIGTERM', stop).once('SIGINT', stop);
    await service.prepared;
  }
} catch (error) {
  // It is the last line, and what was logged before is not lost.
  await standardOutput().end(LOG_TIMEOUT_MS);
  process.stderr.write(`berth: ${sentence(error)}\n`);
  process.exit(1);
}

/** Exits once the log is written, unless nobody takes it. */
async function exit(code: number): Promise<void> {
  await standardOutput().end(LOG_TIMEOUT_MS);
  process.exit(code);
}

/** The message for the operator about an error that ends the service. */
function sentence(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof EngineError && error.failure === 'unfit') return error.message;
  if (error instanceof EngineError)
    return `${error.message} ${process.argv[2] === 'teardown' ? NOT_REMOVED : NOT_APART}`;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `BERTH_PORT is in use by another program: ${message}.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `BERTH_HOST is not an address of this machine: ${message}.`;
  return code === undefined ? (stack ?? message) : `The service could not start: ${message}`;
}
