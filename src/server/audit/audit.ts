import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { pino } from 'pino';
import { type AuditConfig, ConfigError } from '../config/index.js';
import type { Actor } from './actor.js';

/** An action that somebody performed or attempted. Never contains a secret, a page address or a file name. */
export interface AuditEvent {
  /** The action, such as `session.start`; docs/operations.md lists them. */
  event: string;
  result: 'ok' | 'refused' | 'failed';
  actor: Actor;
  session?: string | undefined;
  /** The caller's address, as far as proxies are trusted. */
  ip?: string | undefined;
  /** ID of the HTTP request, as in the log and in `x-request-id`. */
  request?: string | undefined;
  /** Error code, if the action failed. */
  code?: string | undefined;
  [detail: string]: unknown;
}

/** The audit stream. */
export interface Audit {
  record(event: AuditEvent): void;
  /** Closes the file; later events are lost. */
  close(): Promise<void>;
}

/** Discards all events. */
export const NO_AUDIT: Audit = { record: () => {}, close: () => Promise.resolve() };

/** Opens the stream; events are written before `record` returns. @throws ConfigError if the file cannot be written */
export function openAudit(config: AuditConfig): Audit {
  if (config.to === 'off') return NO_AUDIT;
  const destination = config.to === 'stdout' ? pino.destination({ dest: 1, sync: true }) : file(config.path);
  let isClosed = false;
  const log = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // All events have one level, so that none is filtered out.
      formatters: { level: () => ({ stream: 'audit' }) },
    },
    destination,
  );
  return {
    record: event => {
      // It throws once closed.
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
    // Otherwise an existing file would keep its mode.
    chmodSync(path, 0o600);
    return destination;
  } catch (error) {
    throw new ConfigError(`BERTH_AUDIT_LOG must name a file that can be written to: ${(error as Error).message}.`);
  }
}
