import { fchmodSync, openSync } from 'node:fs';
import { type AuditConfig, ConfigError } from '../config/index.js';
import { lineTime } from '../lib/line-time.js';
import { LineWriter } from '../lib/line-writer.js';
import { standardOutput } from '../lib/standard-output.js';
import type { AuditEvent } from './events.js';
import { LimitedEvents } from './limits.js';

/** The audit stream. */
export interface Audit {
  record(event: AuditEvent): void;
  /** Writes what is left and closes the file; later events are lost. */
  close(): Promise<void>;
}

/** Discards all events. */
export const NO_AUDIT: Audit = { record: () => {}, close: () => Promise.resolve() };

/** Size at which the file is rotated, bytes, and how many older ones are kept. */
const FILE_BYTES = 50 << 20;
const FILES_KEPT = 9;
/** How long closing waits for lines that are not written yet, ms. */
const CLOSE_MS = 1000;

/**
 * Opens the stream. Recording never waits: what cannot be written is kept up to a limit, then left out and counted, and
 * so is what somebody causes beyond the limits of `LimitedEvents`.
 * @throws ConfigError if the file cannot be written
 */
export function openAudit(config: AuditConfig): Audit {
  if (config.to === 'off') return NO_AUDIT;
  const writer = config.to === 'stdout' ? standardOutput() : fileWriter(config.path);
  const channel = writer.channel(count => lineOf({ ...LEFT_OUT, count }));
  const events = new LimitedEvents(event => channel.write(lineOf(event), matters(event)));
  let isClosed = false;
  return {
    record: event => {
      if (!isClosed) events.record(event);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      events.flush();
      // Others write to the standard output as well.
      if (config.to !== 'stdout') await writer.close(CLOSE_MS);
    },
  };
}

/** Events that could not be written in time, or at all. */
const LEFT_OUT: AuditEvent = { event: 'audit.omitted', result: 'failed', actor: { type: 'service' } };

/** When lines must be dropped, those of strangers go first. */
const matters = ({ actor }: AuditEvent) => actor.type !== 'unknown' && actor.type !== 'none';

const lineOf = (event: AuditEvent) => `${JSON.stringify({ stream: 'audit', time: lineTime(), ...event })}\n`;

function fileWriter(path: string): LineWriter {
  try {
    const fd = openSync(path, 'a', 0o600);
    // Otherwise an existing file would keep its mode.
    fchmodSync(fd, 0o600);
    return new LineWriter(fd, { path, maxBytes: FILE_BYTES, keep: FILES_KEPT });
  } catch (error) {
    throw new ConfigError(`BERTH_AUDIT_LOG must name a file that can be written to: ${(error as Error).message}.`);
  }
}
