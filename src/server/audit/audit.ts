import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { pino } from 'pino';
import { type AuditConfig, ConfigError } from '../config/index.js';
import type { Actor } from './actor.js';

/** Something that somebody did, or tried to; never with a secret, an address of a page, or a file's name. */
export interface AuditEvent {
  /** What, such as `session.start`; docs/operations.md lists them. */
  event: string;
  result: 'ok' | 'refused' | 'failed';
  actor: Actor;
  session?: string | undefined;
  /** Where the caller is, as far as proxies are trusted. */
  ip?: string | undefined;
  /** ID of the HTTP request, as in the log and in `x-request-id`. */
  request?: string | undefined;
  /** Code of the error, where it did not come about. */
  code?: string | undefined;
  [detail: string]: unknown;
}

/** The stream of who did what. */
export interface Audit {
  record(event: AuditEvent): void;
  /** Closes its file; what is recorded later is lost. */
  close(): Promise<void>;
}

/** Keeps nothing. */
export const NO_AUDIT: Audit = { record: () => {}, close: () => Promise.resolve() };

/** Opens the stream; events are written before `record` returns. @throws ConfigError where its file cannot be written */
export function openAudit(config: AuditConfig): Audit {
  if (config.to === 'off') return NO_AUDIT;
  const destination = config.to === 'stdout' ? pino.destination({ dest: 1, sync: true }) : file(config.path);
  let isClosed = false;
  const log = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // All are of one level, and none is left out.
      formatters: { level: () => ({ stream: 'audit' }) },
    },
    destination,
  );
  return {
    record: event => {
      // It throws once it is closed.
      if (!isClosed) log.info(event);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      const closed = once(destination, 'close');
      destination.end();
      await closed;
    },
  };
}

function file(path: string) {
  try {
    const destination = pino.destination({ dest: path, mode: 0o600, sync: true, append: true });
    // One that was there before keeps its mode otherwise.
    chmodSync(path, 0o600);
    return destination;
  } catch (error) {
    throw new ConfigError(`BERTH_AUDIT_LOG must name a file that can be written to: ${(error as Error).message}.`);
  }
}
