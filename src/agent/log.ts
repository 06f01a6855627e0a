/** Structured log: one JSON line per event on stdout, which the container engine keeps. */
export interface Log {
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
}

export type Fields = Record<string, string | number | boolean | null | undefined>;

/**
 * Makes a log. `write` gets each line with its newline. `ms` in a line is the time since the agent's
 * process started, in milliseconds.
 */
export function makeLog(write: (line: string) => void, clock: () => number = () => performance.now()): Log {
  const line = (level: string, event: string, fields: Fields = {}) =>
    write(`${JSON.stringify({ level, time: Date.now(), ms: Math.round(clock()), event, ...fields })}\n`);
  return {
    info: (event, fields) => line('info', event, fields),
    warn: (event, fields) => line('warn', event, fields),
  };
}
