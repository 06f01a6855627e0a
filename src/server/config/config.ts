import { join, resolve } from 'node:path';
import { android, type AndroidConfig } from './android.js';
import { ps1BiosFolder } from './bios.js';
import { caCertificates } from './ca-files.js';
import { type EngineAddress, regions } from './engine-settings.js';
import { choice, flag, number, text, type Environment } from './environment.js';
import { events, type EventsConfig } from './events.js';
import { gpu, type GpuConfig, gpuMissing } from './gpu.js';
import { type KubernetesConfig, kubernetes } from './kubernetes.js';
import {
  apiKeys,
  type AuditConfig,
  auditLog,
  type ContainerLimits,
  database,
  type DatabaseConfig,
  egress,
  type EgressConfig,
  httpProxy,
  label,
  limits,
  name,
  profileStorage,
  type ProfileStorageConfig,
  publicUrl,
  secrets,
  timezone,
  trustProxy,
  webhookSecrets,
} from './settings.js';
import type { HttpProxy, Region } from '../../protocol/generated/schemas.js';

/** How many viewers may be connected; 0: unlimited. */
export interface ViewerLimits {
  viewersPerSession: number;
  viewersPerAddress: number;
}

export interface ProfilesConfig {
  storage: ProfileStorageConfig;
  /** Days a profile is kept after its last use. */
  retentionDays: number;
  /** Interval between saves of running sessions' profiles, milliseconds; 0: saved only at the end. */
  checkpointMs: number;
}

/** How console games are fetched. */
export interface RomConfig {
  /** Cache folder. */
  folder: string;
  maxBytes: number;
  /** Cache size, including downloads in progress. */
  cacheBytes: number;
  /** Concurrent downloads. */
  downloads: number;
  timeoutMs: number;
  /** Whether games may come from private networks. */
  allowPrivate: boolean;
}

export interface Config {
  host: string;
  port: number;
  /** What the addresses handed out begin with, no trailing slash; null: the origin that the caller used. */
  publicUrl: string | null;
  /** Empty: generated once and kept in the data folder. */
  apiKeys: readonly string[];
  /** Newest first; empty: generated once and kept in the data folder. */
  secrets: readonly string[];
  dataDir: string;
  database: DatabaseConfig;
  maxSessions: number;
  /** Containers that each engine keeps warm. */
  warmPool: number;
  /** Whether warm containers start a browser already. */
  warmBrowser: boolean;
  regions: ReadonlyMap<Region, EngineAddress>;
  /** Settings of Kubernetes; null: no region is on a cluster. */
  kubernetes: Readonly<KubernetesConfig> | null;
  limits: ContainerLimits;
  egress: EgressConfig;
  /** Certificates of authorities that sessions and the service trust besides the usual ones, as PEM. */
  caCertificates: readonly string[];
  /** Proxy for Chromium sessions that specify none. */
  httpProxy: Readonly<HttpProxy> | null;
  /** Time zone of browsers whose start requests specify none; null: UTC. */
  timezone: string | null;
  /** Prefix of all names created in an engine; services that share an engine need different ones. */
  instance: string;
  imagePrefix: string;
  /** AppArmor profile of containers; null: the engine's default. */
  apparmor: string | null;
  /** Container runtime; null: the engine's default. */
  runtime: string | null;
  /** GPU that Chromium's containers use for WebGL and for encoding; null: both in software. */
  gpu: Readonly<GpuConfig> | null;
  /** Why none was found although one was looked for, a sentence. */
  gpuMissing: string | null;
  /** Days after which an image's packages count as old. */
  imageMaxAgeDays: number;
  trustProxy: boolean | number | string;
  /** Prefix of the headers that tell a participant webhook where a user comes from. */
  webhookHeaderPrefix: string;
  /** Newest first; empty: generated once and kept in the data folder. */
  webhookSecrets: readonly string[];
  /** Whether webhooks may go to private networks and this machine. */
  webhookPrivate: boolean;
  /** The service's own receiver of events; null: there is none. */
  events: Readonly<EventsConfig> | null;
  logLevel: string;
  auditLog: Readonly<AuditConfig>;
  /** Requests per minute and address; 0: no limit. */
  rateLimit: number;
  viewerLimits: ViewerLimits;
  metricsOpen: boolean;
  /** Largest file that a viewer may upload to a session. */
  uploadMaxBytes: number;
  startTimeoutMs: number;
  /** Days that ended sessions stay readable. */
  retentionDays: number;
  roms: RomConfig;
  /** Folder with a real ps1's BIOS on the engines' machines; null: the emulator's built-in replacement is used. */
  ps1BiosFolder: string | null;
  profiles: ProfilesConfig;
  android: Readonly<AndroidConfig>;
}

const MIB = 1 << 20;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * Builds the configuration from the environment.
 * @throws ConfigError that names the setting and says what it must be
 */
export function parseConfig(env: Environment, cwd: string): Readonly<Config> {
  const dataDir = resolve(cwd, text(env, 'BERTH_DATA_DIR') ?? '.berth');
  const engines = regions(env, cwd);
  const local = [...engines.values()].map(({ transport }) => transport === 'unix');
  const instance = name(
    env,
    'BERTH_INSTANCE',
    'berth',
    /^[a-z][a-z0-9-]{0,30}$/,
    'lower-case letters, digits and dashes',
  );
  return Object.freeze({
    host: text(env, 'BERTH_HOST') ?? '127.0.0.1',
    port: number(env, 'BERTH_PORT', 8080, { min: 1, max: 65535 }),
    publicUrl: publicUrl(env),
    apiKeys: Object.freeze(apiKeys(env)),
    secrets: Object.freeze(secrets(env)),
    dataDir,
    database: database(env, dataDir, cwd),
    maxSessions: number(env, 'BERTH_MAX_SESSIONS', 20, { min: 1, max: 100_000 }),
    warmPool: number(env, 'BERTH_WARM_POOL', 1, { min: 0, max: 1000 }),
    warmBrowser: flag(env, 'BERTH_WARM_BROWSER', true),
    regions: engines,
    kubernetes: [...engines.values()].some(({ transport }) => transport === 'kubernetes')
      ? kubernetes(env, instance)
      : null,
    limits: Object.freeze(limits(env)),
    egress: Object.freeze(egress(env)),
    caCertificates: Object.freeze(caCertificates(env, cwd)),
    httpProxy: httpProxy(env),
    timezone: timezone(env),
    instance,
    imagePrefix: name(
      env,
      'BERTH_IMAGE_PREFIX',
      'berth',
      /^[a-z0-9][a-z0-9._/:-]{0,200}$/,
      'the first part of an image name',
    ),
    apparmor: label(env, 'BERTH_APPARMOR', 'the name of an AppArmor profile'),
    runtime: label(env, 'BERTH_RUNTIME', "the name of one of the engine's runtimes"),
    gpu: gpu(env, !local.includes(false)),
    gpuMissing: gpuMissing(env),
    imageMaxAgeDays: number(env, 'BERTH_IMAGE_MAX_AGE_DAYS', 7, { min: 1, max: 36_500 }),
    trustProxy: trustProxy(env),
    webhookHeaderPrefix: name(
      env,
      'BERTH_WEBHOOK_HEADER_PREFIX',
      'SVC',
      /^[A-Za-z][A-Za-z0-9]{0,30}(-[A-Za-z0-9]{1,30}){0,3}$/,
      'letters and digits, and dashes between them',
    ),
    webhookSecrets: Object.freeze(webhookSecrets(env)),
    webhookPrivate: flag(env, 'BERTH_WEBHOOK_PRIVATE', true),
    events: events(env),
    auditLog: Object.freeze(auditLog(env, cwd)),
    logLevel: choice(env, 'BERTH_LOG_LEVEL', 'info', LOG_LEVELS),
    rateLimit: number(env, 'BERTH_RATE_LIMIT', 6000, { min: 0, max: 100_000_000 }),
    viewerLimits: Object.freeze({
      viewersPerSession: number(env, 'BERTH_MAX_VIEWERS_PER_SESSION', 500, { min: 0, max: 100_000 }),
      viewersPerAddress: number(env, 'BERTH_MAX_VIEWERS_PER_ADDRESS', 200, { min: 0, max: 100_000 }),
    }),
    metricsOpen: flag(env, 'BERTH_METRICS_OPEN', false),
    uploadMaxBytes: number(env, 'BERTH_UPLOAD_MAX_MB', 100, { min: 1, max: 1_048_576 }) * 2 ** 20,
    startTimeoutMs: 1000 * number(env, 'BERTH_START_TIMEOUT', 20, { min: 1, max: 600, fraction: true }),
    retentionDays: number(env, 'BERTH_RETENTION_DAYS', 90, { min: 1, max: 36_500 }),
    roms: Object.freeze({
      folder: join(dataDir, 'roms'),
      maxBytes: MIB * number(env, 'BERTH_ROM_MAX_MB', 2048, { min: 1, max: 65_536 }),
      cacheBytes: MIB * number(env, 'BERTH_ROM_CACHE_MB', 4096, { min: 0, max: 16_777_216 }),
      downloads: number(env, 'BERTH_ROM_DOWNLOADS', 8, { min: 1, max: 1000 }),
      timeoutMs: 1000 * number(env, 'BERTH_ROM_TIMEOUT', 600, { min: 1, max: 86_400 }),
      allowPrivate: flag(env, 'BERTH_ROM_ALLOW_PRIVATE', false),
    }),
    ps1BiosFolder: ps1BiosFolder(env, cwd, local.includes(true)),
    android: android(env, cwd, !local.includes(false)),
    profiles: Object.freeze({
      storage: profileStorage(env, dataDir, cwd),
      retentionDays: number(env, 'BERTH_PROFILE_RETENTION_DAYS', 90, { min: 1, max: 36_500 }),
      checkpointMs: 1000 * number(env, 'BERTH_PROFILE_CHECKPOINT', 300, { min: 0, max: 86_400 }),
    }),
  });
}
