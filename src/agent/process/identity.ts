import { readdirSync, readFileSync } from 'node:fs';
import { hasFields, isNumber } from '../handover/handover.js';

/** A process, told from all others that have had or will have its number. */
export interface Identity {
  readonly pid: number;
  /** When it was started, in ticks of the kernel's clock. */
  readonly start: number;
}

/** What the kernel says of a process (proc_pid_stat(5)). */
export interface ProcessStat extends Identity {
  readonly isDead: boolean;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

export const isIdentity = (value: unknown): value is Identity => hasFields(value, { pid: isNumber, start: isNumber });

/** Looks a process up; undefined where there is none of this number. */
export function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in brackets, may hold anything.
    const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [parent = 0, group = 0, session = 0] = fields.map(Number);
    return { pid, start: Number(fields[18]), isDead: state === 'Z' || state === 'X', parent, group, session };
  } catch {
    return undefined;
  }
}

/** What runs under this number now, to be known again. */
export function identityOf(pid: number): Identity | undefined {
  const stat = statOf(pid);
  return stat && { pid, start: stat.start };
}

/** Whether it still runs. */
export function isAlive({ pid, start }: Identity): boolean {
  const stat = statOf(pid);
  return stat !== undefined && stat.start === start && !stat.isDead;
}

/** All processes of the container that have not ended. */
export function processes(): ProcessStat[] {
  return readdirSync('/proc').flatMap(name => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    return stat === undefined || stat.isDead ? [] : [stat];
  });
}
