import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { HttpProxy } from '../../protocol/generated/schemas.js';
import { canonicalTimeZone } from '../../protocol/time-zone.js';
import { WEBHOOK_SECRET, webhookKey } from '../../protocol/webhook-secret.js';
import { choice, ConfigError, list, number, text, type Environment } from './environment.js';

const MIN_SECRET_LENGTH = 32;
/** Upper bound on secrets, since each presented token is compared with those of every secret. */
const MAX_SECRETS = 8;
const MIN_KEY_LENGTH = 16;
const PAC_MAX = 65_536;

/** First segments of the service's own addresses. */
const OWN_PATHS = ['assets', 'console', 'docs', 'healthz', 'metrics', 'openapi.json', 'readyz', 's', 'v0'];

/** The public address, with its path, without a slash at its end; null: the one that each caller used. */
export function publicUrl(env: Environment): string | null {
  const value = text(env, 'BERTH_PUBLIC_URL');
  if (value === undefined) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    /^(\/[\w.~-]+)*\/?$/.test(url.pathname) &&
    !url.search &&
    !url.hash &&
    !url.username;
  if (!isPlain) {
    throw new ConfigError(
      'BERTH_PUBLIC_URL must be an http or https address, with a path of letters, digits, dots, dashes and underscores ' +
        `if any, but is "${value}".`,
    );
  }
  const [, first = ''] = url.pathname.split('/');
  if (!OWN_PATHS.includes(first.toLowerCase())) return url.origin + url.pathname.replace(/\/$/, '');
  throw new ConfigError(
    `BERTH_PUBLIC_URL must not have a path that begins with one of the service's own, which /${first} is.`,
  );
}

export function apiKeys(env: Environment): string[] {
  const keys = list(env, 'BERTH_API_KEYS') ?? [];
  if (keys.every(key => key.length >= MIN_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key))) return keys;
  throw new ConfigError(
    `BERTH_API_KEYS must hold keys of at least ${MIN_KEY_LENGTH} printable characters, separated by commas.`,
  );
}

/** The service's secrets, newest first; none if they are to be generated. */
export function secrets(env: Environment): string[] {
  const [single, several] = [text(env, 'BERTH_SECRET'), list(env, 'BERTH_SECRETS')];
  if (single !== undefined && single.length < MIN_SECRET_LENGTH)
    throw new ConfigError(`BERTH_SECRET must have at least ${MIN_SECRET_LENGTH} characters.`);
  if (several === undefined) return single === undefined ? [] : [single];
  if (single !== undefined) throw new ConfigError('BERTH_SECRETS must not be set together with BERTH_SECRET.');
  const known = several.every(each => each.length >= MIN_SECRET_LENGTH) && new Set(several).size === several.length;
  if (known && several.length > 0 && several.length <= MAX_SECRETS) return several;
  throw new ConfigError(
    `BERTH_SECRETS must hold one to ${MAX_SECRETS} different secrets of at least ${MIN_SECRET_LENGTH} characters, ` +
      'the newest first, separated by commas.',
  );
}

/** The secrets that sign webhooks without a secret of their own, newest first; none if one is to be generated. */
export function webhookSecrets(env: Environment): string[] {
  const secrets = list(env, 'BERTH_WEBHOOK_SECRET') ?? [];
  if (secrets.length <= MAX_SECRETS && secrets.every(secret => webhookKey(secret) !== null)) return secrets;
  throw new ConfigError(
    `BERTH_WEBHOOK_SECRET must be ${WEBHOOK_SECRET}, or up to ${MAX_SECRETS} of these, the newest first, separated by commas.`,
  );
}

/** The audit log. */
export type AuditConfig = { to: 'stdout' } | { to: 'file'; path: string } | { to: 'off' };

export function auditLog(env: Environment, cwd: string): AuditConfig {
  const value = text(env, 'BERTH_AUDIT_LOG') ?? 'stdout';
  if (value === 'stdout' || value === 'off') return { to: value };
  if (value.includes('/')) return { to: 'file', path: resolve(cwd, value) };
  throw new ConfigError(
    `BERTH_AUDIT_LOG must be stdout, off, or the path of a file with a slash in it, but is "${value}".`,
  );
}

/** The database. */
export type DatabaseConfig = { client: 'sqlite'; filename: string } | { client: 'postgres'; url: string };

export function database(env: Environment, dataDir: string, cwd: string): DatabaseConfig {
  const value = text(env, 'BERTH_DATABASE_URL');
  if (value === undefined) return { client: 'sqlite', filename: join(dataDir, 'berth.sqlite') };
  if (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value)) return { client: 'postgres', url: value };
  const path = /^sqlite:(.+)$/.exec(value)?.[1];
  if (path !== undefined) return { client: 'sqlite', filename: path === ':memory:' ? path : resolve(cwd, path) };
  throw new ConfigError('BERTH_DATABASE_URL must be sqlite:<path> or postgres://<address>.');
}

/** Resource limits of one session's container. */
export interface ContainerLimits {
  memoryMb: number;
  cpus: number;
  pids: number;
  shmMb: number;
  tmpMb: number;
  homeMb: number;
  /** Concurrent network flows, and new ones per second. */
  connections: number;
  connectionRate: number;
}

export function limits(env: Environment): ContainerLimits {
  return {
    memoryMb: number(env, 'BERTH_SESSION_MEMORY_MB', 2048, { min: 256, max: 1_048_576 }),
    cpus: number(env, 'BERTH_SESSION_CPUS', 2, { min: 0.1, max: 1024, fraction: true }),
    pids: number(env, 'BERTH_SESSION_PIDS', 1024, { min: 64, max: 1_000_000 }),
    shmMb: number(env, 'BERTH_SESSION_SHM_MB', 512, { min: 16, max: 1_048_576 }),
    tmpMb: number(env, 'BERTH_SESSION_TMP_MB', 512, { min: 16, max: 1_048_576 }),
    homeMb: number(env, 'BERTH_SESSION_HOME_MB', 512, { min: 16, max: 1_048_576 }),
    connections: number(env, 'BERTH_SESSION_CONNECTIONS', 1024, { min: 16, max: 1_000_000 }),
    connectionRate: number(env, 'BERTH_SESSION_CONNECTION_RATE', 50, { min: 1, max: 10_000 }),
  };
}

/** Networks that containers may reach besides the public internet. */
export type EgressConfig = { mode: 'private'; allow: readonly string[] } | { mode: 'open' };

export function egress(env: Environment): EgressConfig {
  const mode = choice(env, 'BERTH_EGRESS', 'private', ['private', 'open']);
  const allow = list(env, 'BERTH_EGRESS_ALLOW') ?? [];
  const wrong = allow.find(range => !isCidr4(range));
  if (wrong !== undefined) {
    throw new ConfigError(
      `BERTH_EGRESS_ALLOW must hold IPv4 ranges like 10.1.2.0/24, separated by commas, but holds "${wrong}".`,
    );
  }
  return mode === 'open'
    ? { mode }
    : { mode, allow: allow.map(range => (range.includes('/') ? range : `${range}/32`)) };
}

/** The proxy for sessions that specify none, under the same rules as in a start request. */
export function httpProxy(env: Environment): Readonly<HttpProxy> | null {
  const [pac, username, password] = ['PAC', 'USERNAME', 'PASSWORD'].map(name => text(env, `BERTH_HTTP_PROXY_${name}`));
  if (pac === undefined) {
    if (username === undefined && password === undefined) return null;
    throw new ConfigError('BERTH_HTTP_PROXY_PAC must be set where BERTH_HTTP_PROXY_USERNAME or _PASSWORD is.');
  }
  if (pac.length > PAC_MAX) {
    throw new ConfigError(`BERTH_HTTP_PROXY_PAC must have at most ${PAC_MAX} characters, or be an address.`);
  }
  return Object.freeze({
    pac,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  });
}

/** The time zone of browsers whose start requests specify none; null: UTC. */
export function timezone(env: Environment): string | null {
  const value = text(env, 'BERTH_TIMEZONE');
  if (value === undefined) return null;
  const zone = canonicalTimeZone(value);
  if (zone !== null) return zone;
  throw new ConfigError(
    `BERTH_TIMEZONE must be the IANA name of a time zone, such as Europe/Berlin, but is "${value}".`,
  );
}

function isCidr4(range: string): boolean {
  const [address = '', bits = '32', ...rest] = range.split('/');
  return rest.length === 0 && isIP(address) === 4 && /^\d{1,2}$/.test(bits) && Number(bits) <= 32;
}

export function name(env: Environment, key: string, fallback: string, pattern: RegExp, what: string): string {
  const value = text(env, key) ?? fallback;
  if (pattern.test(value)) return value;
  throw new ConfigError(`${key} must be ${what}, but is "${value}".`);
}

/** A name known to an engine; null if the setting is unset. */
export function label(env: Environment, key: string, what: string): string | null {
  return text(env, key) === undefined ? null : name(env, key, '', /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, what);
}

export function trustProxy(env: Environment): boolean | number | string {
  const value = text(env, 'BERTH_TRUST_PROXY') ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const parts = value.split(',').map(part => part.trim());
  const named = ['loopback', 'linklocal', 'uniquelocal'];
  if (parts.every(part => named.includes(part) || isIP(part.split('/')[0] ?? '') !== 0)) return parts.join(',');
  throw new ConfigError(
    `BERTH_TRUST_PROXY must be true, false, a number of proxies, or addresses separated by commas, but is "${value}".`,
  );
}

/** A bucket in an S3-compatible store. */
export interface S3Config {
  type: 's3';
  bucket: string;
  /** Key prefix; empty or with a trailing slash. */
  prefix: string;
  /** Null: Amazon's own. */
  endpoint: string | null;
  region: string;
  /** Null: whatever the environment provides. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

/** Where profiles are stored. */
export type ProfileStorageConfig = { type: 'folder'; folder: string } | S3Config;

export function profileStorage(env: Environment, dataDir: string, cwd: string): ProfileStorageConfig {
  const bucket = text(env, 'BERTH_PROFILE_S3_BUCKET');
  if (bucket === undefined) {
    const stray = Object.keys(env).find(key => key.startsWith('BERTH_PROFILE_S3_') && text(env, key) !== undefined);
    if (stray !== undefined) throw new ConfigError(`${stray} needs BERTH_PROFILE_S3_BUCKET.`);
    return { type: 'folder', folder: resolve(cwd, text(env, 'BERTH_PROFILE_DIR') ?? join(dataDir, 'profiles')) };
  }
  if (text(env, 'BERTH_PROFILE_DIR') !== undefined)
    throw new ConfigError('Set BERTH_PROFILE_DIR or BERTH_PROFILE_S3_BUCKET, not both.');
  const accessKeyId = text(env, 'BERTH_PROFILE_S3_ACCESS_KEY_ID');
  const secretAccessKey = text(env, 'BERTH_PROFILE_S3_SECRET_ACCESS_KEY');
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new ConfigError(
      'Set both BERTH_PROFILE_S3_ACCESS_KEY_ID and BERTH_PROFILE_S3_SECRET_ACCESS_KEY, or neither.',
    );
  }
  const pattern = /^[A-Za-z0-9!_.*'()/-]{0,512}$/;
  const prefix = name(env, 'BERTH_PROFILE_S3_PREFIX', '', pattern, "letters, digits and !_.*'()/-");
  return {
    type: 's3',
    bucket: name(env, 'BERTH_PROFILE_S3_BUCKET', '', /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/, 'the name of a bucket'),
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    endpoint: s3Endpoint(env),
    region: text(env, 'BERTH_PROFILE_S3_REGION') ?? 'us-east-1',
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
  };
}

function s3Endpoint(env: Environment): string | null {
  const value = text(env, 'BERTH_PROFILE_S3_ENDPOINT');
  if (value === undefined) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) return value;
  throw new ConfigError('BERTH_PROFILE_S3_ENDPOINT must be an http or https address without a user and a query.');
}
