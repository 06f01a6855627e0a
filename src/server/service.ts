import { join } from 'node:path';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Config, Credentials } from './config/index.js';
import { withAddresses } from './android-devices.js';
import { type Audit, fingerprint, openAudit } from './audit/index.js';
import { createFleet, EngineError, type Fleet } from './engines/index.js';
import { clientIp, createApp, EventFeed, listen } from './http/index.js';
import { Callers, Tokens } from './model/index.js';
import { ImageReport } from './image-report.js';
import { MachineClock } from './machine-clock.js';
import { createMetrics } from './metrics.js';
import { Outbound, type Resolve } from './outbound/index.js';
import { packageRoot, packageVersion } from './lib/package-root.js';
import { trusting } from './lib/trust.js';
import { createProfiles } from './profiles/index.js';
import { Readiness, type Part } from './readiness.js';
import { RomCache, RomLibrary } from './games/index.js';
import type { Keyring } from './secrets/index.js';
import { ResetHook, Sessions } from './sessions/index.js';
import { Store } from './store/index.js';
import { Outbox, WebhookSender } from './webhooks/index.js';

/** How long pending requests may take when the service stops, milliseconds. */
const DRAIN_MS = 2000;

const TRUST_ALL =
  'BERTH_TRUST_PROXY=true trusts everybody: each caller chooses the address that limits, the audit log and webhooks see; ' +
  'set the number of proxies, or their addresses';

/** A running service. */
export interface Service {
  /** The app that answers its HTTP requests. */
  app: Express;
  /** Rejects if an engine refuses to set up network isolation. */
  prepared: Promise<void>;
  stop(): Promise<void>;
}

/** Dependencies that can be replaced. */
export interface ServiceOptions {
  /** Those of the configuration by default. */
  engines?: Fleet;
  /** Resolves names of webhooks and games instead of name servers. */
  resolve?: Resolve;
  /** Addresses of name servers; those of the system by default. */
  nameServers?: readonly string[];
}

/** Creates the service and runs it until `stop`. */
export async function runService(
  config: Config,
  credentials: Credentials,
  log: Logger,
  options: ServiceOptions = {},
): Promise<Service> {
  const audit = openAudit(config.auditLog);
  try {
    const store = await Store.open(config.database, credentials.keyring);
    try {
      return await run({ config, credentials, log, options, audit, store });
    } catch (error) {
      await store.close();
      throw error;
    }
  } catch (error) {
    await audit.close();
    throw error;
  }
}

interface RunOptions {
  config: Config;
  credentials: Credentials;
  log: Logger;
  options: ServiceOptions;
  audit: Audit;
  store: Store;
}

/** Closes store and audit log, with `stop` only. */
async function run({ credentials, log, options, audit, store, ...given }: RunOptions): Promise<Service> {
  const config = { ...given.config, android: await withAddresses(given.config.android) };
  const { engines, resolve, nameServers } = options;
  const machineClock = new MachineClock(config.dataDir, store, log);
  await machineClock.resume();
  const root = packageRoot();
  const fleet = engines ?? (await createFleet(config, store.id));
  const tokens = new Tokens(credentials.keyring);
  const trust = trusting(config.caCertificates);
  const outbound = new Outbound({
    engines: fleet.members.map(({ engine }) => engine),
    port: config.port,
    ...(resolve === undefined ? {} : { resolve }),
    ...(nameServers === undefined ? {} : { nameServers }),
    ...(trust === undefined ? {} : { trust }),
  });
  // Neither events nor games make participants wait.
  const webhooks = new WebhookSender(outbound.separate(), config.webhookPrivate, credentials.webhookSecrets);
  const events = new WebhookSender(outbound.separate(), config.webhookPrivate, credentials.webhookSecrets);
  const outbox = new Outbox(store.outbox, events, log);
  const feed = new EventFeed(store.events, log);
  store.events.listen(isSent => {
    feed.wake();
    if (isSent) outbox.wake();
  });
  const { devices } = config.android;
  const reset = devices.type === 'adb' ? devices.reset : null;
  const metrics = createMetrics({
    sessions: () => store.sessions.census(),
    webhookQueue: () => store.outbox.size(),
    warmPool: () => sessions.warmCount,
    profiles: () => store.profiles.census(),
    images: () => images.images(),
    devices: () => sessions.devices(),
    parts: () => readiness.working(),
  });
  const cache = new RomCache(config.roms.folder, {
    maxBytes: config.roms.cacheBytes,
    fileBytes: config.roms.maxBytes,
    writers: config.roms.downloads,
  });
  const images = new ImageReport(fleet, config.imageMaxAgeDays, log);
  await cache.open();
  const roms = new RomLibrary({ ...config.roms, cache, outbound, log });
  const callers = new Callers(config.rateLimit);
  const profiles = createProfiles(config, credentials.keyring, store.profiles, metrics.profiles);
  const sessions: Sessions = new Sessions({
    ...config,
    romLibrary: roms,
    // The operator's own, wherever it is.
    resetHook: reset && new ResetHook(reset, new WebhookSender(outbound.separate(), true, credentials.webhookSecrets)),
    store,
    fleet,
    outbox,
    tokens,
    profiles,
    profileRetentionDays: config.profiles.retentionDays,
    checkpointMs: config.profiles.checkpointMs,
    replica: credentials.replica,
    participants: {
      metrics: metrics.participants,
      clientIp: request => ipOf(request),
      webhooks,
      callers,
      limits: config.viewerLimits,
      headerPrefix: config.webhookHeaderPrefix,
    },
    audit,
    log,
    started: metrics.started,
  });
  const readiness = readinessOf(fleet, store, log);
  const app = createApp({
    ...config,
    apiKeys: credentials.apiKeys,
    outbound,
    webhooks,
    sessions,
    store,
    profiles,
    tokens,
    callers,
    feed,
    webFolder: join(root, 'dist/web'),
    version: packageVersion(),
    health: { state: () => readiness.state(), metrics: metrics.read },
    audit,
    log,
  });
  const ipOf = clientIp(app);
  const listening = await listen(app, (...upgrade) => sessions.upgrade(...upgrade), config);
  await sessions.run();
  machineClock.start();
  await tellOlderSecrets(store, credentials.keyring, log);
  outbox.wake();
  images.start();
  log.info({ host: config.host, port: config.port }, 'service listening');
  if (config.trustProxy === true) log.warn(TRUST_ALL);
  if (config.gpuMissing !== null) log.warn({ reason: config.gpuMissing }, 'no graphics card');
  const keys = credentials.apiKeys.map(fingerprint);
  audit.record({ event: 'service.start', result: 'ok', actor: { type: 'service' }, keys });
  return {
    app,
    prepared: prepareEngines(fleet, log),
    async stop() {
      await feed.stop();
      const drained = listening.stop(DRAIN_MS);
      await roms.stop();
      images.stop();
      machineClock.stop();
      await sessions.stop();
      await outbox.stop();
      await drained;
      await store.close();
      await audit.close();
    },
  };
}

/** Prepares all reachable engines. @throws EngineError if one refuses what sessions need */
async function prepareEngines(fleet: Fleet, log: Logger): Promise<void> {
  await Promise.all(
    fleet.members.map(async ({ engine, name }) => {
      try {
        await engine.ping();
      } catch (error) {
        if (!(error instanceof EngineError) || error.failure !== 'unavailable') throw error;
        log.warn({ engine: name, reason: error.message }, 'engine not reachable yet');
      }
    }),
  );
}

/** Logs what would be lost if the older secrets were removed. */
async function tellOlderSecrets(store: Store, keyring: Keyring, log: Logger): Promise<void> {
  if (keyring.secrets.length === 1) return;
  const { sessions, profiles } = await store.underOlderSecrets(keyring);
  if (sessions + profiles > 0) log.info({ sessions, profiles }, 'older secrets in use');
}

function readinessOf(fleet: Fleet, store: Store, log: Logger): Readiness {
  const engines = fleet.members.map(({ engine, regions }): [string, Part] => [
    `engine/${regions.join('+')}`,
    { check: () => engine.ping(), once: true },
  ]);
  return new Readiness(new Map([['store', { check: () => store.ping(), once: false }], ...engines]), log);
}
