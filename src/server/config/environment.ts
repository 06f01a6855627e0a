/** An unusable value of a setting; the message is one sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a setting; undefined if unset or empty. */
export function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value ? value : undefined;
}

/** A number between `min` and `max`; an integer unless `fraction`. */
export function number(
  env: Environment,
  name: string,
  fallback: number,
  range: { min: number; max: number; fraction?: boolean },
): number {
  const value = text(env, name);
  if (value === undefined) return fallback;
  const parsed = /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  const fits = parsed >= range.min && parsed <= range.max && (range.fraction || Number.isInteger(parsed));
  if (fits) return parsed;
  const kind = range.fraction ? 'a number' : 'a whole number';
  throw new ConfigError(`${name} must be ${kind} from ${range.min} to ${range.max}, but is "${value}".`);
}

/** One of `choices`. */
export function choice<T extends string>(env: Environment, name: string, fallback: T, choices: readonly T[]): T {
  const value = text(env, name);
  if (value === undefined) return fallback;
  const found = choices.find(each => each === value);
  if (found !== undefined) return found;
  throw new ConfigError(`${name} must be one of ${choices.join(', ')}, but is "${value}".`);
}

/** `true` or `false`. */
export function flag(env: Environment, name: string, fallback: boolean): boolean {
  return choice(env, name, fallback ? 'true' : 'false', ['true', 'false']) === 'true';
}

/** Comma-separated values without blanks; undefined if the setting is unset. */
export function list(env: Environment, name: string): string[] | undefined {
  return text(env, name)
    ?.split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
}
