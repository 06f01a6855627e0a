import { withoutSecretText } from '../../protocol/secret-text.js';

/** Structured log: one JSON line per event on stdout, which the container engine keeps. */
export interface Log {
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
}

export type Fields = Record<string, string | number | boolean | null | undefined>;

/**
 * Makes a log that redacts what looks like a secret. `write` is called with each line including its line break. `ms` in
 * a line is the time since the agent's process started, in milliseconds.
 */
export function makeLog(write: (line: string) => void, clock: () => number = () => performance.now()): Log {
  const line = (level: string, event: string, fields: Fields = {}) =>
    write(`${JSON.stringify({ level, time: Date.now(), ms: Math.round(clock()), event, ...scrubbed(fields) })}\n`);
  return {
    info: (event, fields) => line('info', event, fields),
    warn: (event, fields) => line('warn', event, fields),
  };
}

function scrubbed(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? withoutSecretText(value) : value]),
  );
}
