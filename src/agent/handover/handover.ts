import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Log } from '../lib/log.js';

/** Where agents keep it: a tmpfs, which is removed with the container. */
export const HANDOVER_FOLDER = '/run/berth/agent';

const ENDING = '.json';

/**
 * State that an agent leaves for its successor in case it is killed: small files that only the session's user can read,
 * written immediately and atomically.
 */
export class Handover {
  readonly #folder: string;
  readonly #log: Log;
  readonly #pipes: ReadonlyMap<string, number>;

  /** `pipes`: descriptors of pipes that outlive agents, by program name. */
  constructor(
    log: Log,
    { folder = HANDOVER_FOLDER, pipes = '' }: { folder?: string; pipes?: string | undefined } = {},
  ) {
    this.#folder = folder;
    this.#pipes = new Map([...pipes.matchAll(/([^,=]+)=(\d+)/g)].map(([, name = '', fd]) => [name, Number(fd)]));
    this.#log = log;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Names of the stored values. */
  names(): string[] {
    return readdirSync(this.#folder).flatMap(file => (file.endsWith(ENDING) ? [file.slice(0, -ENDING.length)] : []));
  }

  /** The value stored under a name; undefined if there is none, or it is invalid. */
  read<T>(name: string, isValid: (value: unknown) => value is T): T | undefined {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path(name), 'utf8'));
      return isValid(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  /** Stores a value; on failure the session continues, and the next agent starts without it. */
  write(name: string, value: unknown): void {
    const path = this.#path(name);
    try {
      writeFileSync(`${path}.new`, JSON.stringify(value), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch (error) {
      this.#log.warn('handover state not written', { name, error: String(error) });
    }
  }

  /** Descriptor of the pipe for a program's standard error that outlives this agent; undefined if there is none. */
  pipe(program: string): number | undefined {
    return this.#pipes.get(program);
  }

  remove(name: string): void {
    rmSync(this.#path(name), { force: true });
  }

  #path(name: string): string {
    return `${this.#folder}/${name}${ENDING}`;
  }
}

/** Whether a value is an object whose listed fields have these types; other fields are not checked. */
export function hasFields(value: unknown, fields: Readonly<Record<string, (field: unknown) => boolean>>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(fields).every(([name, isValid]) => isValid((value as Record<string, unknown>)[name]));
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
