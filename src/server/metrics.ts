import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EngineImage } from './image-report.js';
import type { RoomMetrics } from './participants/index.js';
import type { ProfileMetrics } from './profiles/index.js';
import { clock } from './lib/clock.js';

/** The sources of metrics that are read on demand. */
export interface MetricSources {
  sessions(): Promise<{ kind: string; state: string; count: number }[]>;
  webhookQueue(): Promise<number>;
  /** Number of containers in the warm pool. */
  warmPool(): number;
  profiles(): Promise<{ count: number; bytes: number }>;
  images(): Promise<EngineImage[]>;
  /** Android devices of the pool by state: free, lent, resetting, unclean. */
  devices(): Promise<Readonly<Record<string, number>>>;
  /** Whether each part of the service works, by name. */
  parts(): Promise<ReadonlyMap<string, boolean>>;
}

/** All metrics of the service. */
export interface Metrics {
  participants: RoomMetrics;
  profiles: ProfileMetrics;
  started(kind: string, ms: number): void;
  read(): Promise<{ contentType: string; text: string }>;
}

const DURATION_BUCKETS_S = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20];

/** Creates the registry; the store is queried on each scrape. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'berth_sessions',
    help: 'Live sessions',
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      this.reset();
      for (const { kind, state, count } of await sources.sessions()) this.set({ kind, state }, count);
    },
  });
  // The second is the name that older versions had.
  for (const name of ['berth_warm_containers', 'berth_spare_containers']) {
    new Gauge({
      name,
      help: 'Containers of this service that wait for a session',
      registers,
      collect() {
        this.set(sources.warmPool());
      },
    });
  }
  new Gauge({
    name: 'berth_webhook_queue',
    help: 'Webhook requests not yet delivered',
    registers,
    async collect() {
      this.set(await sources.webhookQueue());
    },
  });
  new Gauge({
    name: 'berth_android_devices',
    help: 'Android devices of the pool: free, lent, resetting, or unclean, which need their operator',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset();
      for (const [state, count] of Object.entries(await sources.devices())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'berth_part_working',
    help: 'Whether a part of the service works, the store or an engine: 1, or 0',
    labelNames: ['part'],
    registers,
    async collect() {
      this.reset();
      for (const [part, isWorking] of await sources.parts()) this.set({ part }, Number(isWorking));
    },
  });
  imageMetrics(registers, sources);
  const starts = new Histogram({
    name: 'berth_session_start_seconds',
    help: 'Time from a start request until the agent answered',
    labelNames: ['kind'],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  return {
    participants: roomMetrics(registers),
    profiles: profileMetrics(registers, sources),
    started: (kind, ms) => starts.observe({ kind }, ms / 1000),
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function imageMetrics(registers: Registry[], sources: MetricSources): void {
  new Gauge({
    name: 'berth_image_info',
    help: 'Images that sessions are started from; the value is 1',
    labelNames: ['engine', 'image', 'tag', 'program'],
    registers,
    async collect() {
      this.reset();
      for (const { engine, image, tag, program } of await sources.images()) {
        this.set({ engine, image, tag: tag ?? '', program: program ?? '' }, 1);
      }
    },
  });
  new Gauge({
    name: 'berth_image_packages_age_seconds',
    help: 'Time since the packages of an image were fetched',
    labelNames: ['engine', 'image'],
    registers,
    async collect() {
      this.reset();
      for (const { engine, image, packagesAt } of await sources.images()) {
        if (packagesAt !== null) this.set({ engine, image }, (clock.now() - packagesAt) / 1000);
      }
    },
  });
}

function profileMetrics(registers: Registry[], sources: MetricSources): ProfileMetrics {
  new Gauge({
    name: 'berth_profile_bytes',
    help: 'Bytes of all profiles kept',
    registers,
    async collect() {
      this.set((await sources.profiles()).bytes);
    },
  });
  new Gauge({
    name: 'berth_profiles',
    help: 'Profiles kept',
    registers,
    async collect() {
      this.set((await sources.profiles()).count);
    },
  });
  const saves = new Histogram({
    name: 'berth_profile_save_seconds',
    help: 'Time from the end of a session until its profile was saved',
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const failures = new Counter({
    name: 'berth_profile_save_failures_total',
    help: 'Attempts to save the profile of an ended session that failed',
    registers,
  });
  return { saved: ms => saves.observe(ms / 1000), failed: () => failures.inc() };
}

function roomMetrics(registers: Registry[]): RoomMetrics {
  const counter = (name: string, help: string) => {
    const made = new Counter({ name, help, registers });
    return (count: number) => made.inc(count);
  };
  const viewers = new Gauge({ name: 'berth_viewers', help: 'Viewers connected to this service', registers });
  const encoders = new Gauge({
    name: 'berth_session_encoders',
    help: 'Sessions with a graphics card by the encoder of their picture, software where the card does not encode',
    labelNames: ['encoder'],
    registers,
  });
  return {
    framesReceived: counter('berth_frames_received_total', 'Video frames that came from sessions'),
    smallFramesReceived: counter('berth_small_frames_received_total', 'Those of the small layer among them'),
    framesSent: counter('berth_frames_sent_total', 'Video frames sent to viewers'),
    framesDropped: counter('berth_frames_dropped_total', 'Video frames kept from viewers who fell behind'),
    bytesSent: counter('berth_media_bytes_total', 'Bytes of media sent to viewers'),
    keyframeRequests: counter('berth_keyframe_requests_total', 'Key frames asked of sessions'),
    viewers: change => viewers.inc(change),
    encoders: (encoder, change) => encoders.inc({ encoder }, change),
  };
}
