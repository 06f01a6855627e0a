import { readdirSync, readFileSync } from 'node:fs';
import { hasFields, isNumber } from '../handover/handover.js';

/** Identifies a process even if its number is reused. */
export interface Identity {
  readonly pid: number;
  /** Its start time, in ticks of the kernel's clock. */
  readonly start: number;
}

/** A process's status from the kernel (proc_pid_stat(5)). */
export interface ProcessStat extends Identity {
  readonly isDead: boolean;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

export const isIdentity = (value: unknown): value is Identity => hasFields(value, { pid: isNumber, start: isNumber });

/** Looks up a process; undefined if there is none with this number. */
export function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may contain anything.
    const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [parent = 0, group = 0, session = 0] = fields.map(Number);
    return { pid, start: Number(fields[18]), isDead: state === 'Z' || state === 'X', parent, group, session };
  } catch {
    return undefined;
  }
}

/** The identity of the process with this number. */
export function identityOf(pid: number): Identity | undefined {
  const stat = statOf(pid);
  return stat && { pid, start: stat.start };
}

/** Whether it is still running. */
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
