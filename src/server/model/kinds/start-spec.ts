import type {
  AndroidDeadlines,
  DisplayOptions,
  HttpProxy,
  Launch,
  Region,
  StartConsole,
} from '../../../protocol/generated/schemas.js';
import type { Problem } from '../../../protocol/validation.js';
import { DEFAULT_ROLES } from '../access.js';
import { milliseconds } from '../timeouts.js';
import type { Session, Size } from '../session.js';
import { profileSpec, type ProfileSpec } from './profile.js';

/** The fields of start requests of all kinds. */
export interface StartSpec {
  launch: Launch;
  /** Address of a console's game, or of an Android device's app. */
  rom: string | null;
  defaults: Session['defaults'];
  auth: Session['auth'];
  /** null: the service's default region. */
  region: Region | null;
  tag: string | null;
  tenantId: string | null;
  metadata: Session['metadata'];
  timeouts: Session['timeouts'];
  webhook: Session['webhook'];
  /** null: the service's own receiver, if it has one. */
  events: Session['events'];
  profile: ProfileSpec;
  /** A browser extension to install: a checked zip archive. */
  extension: Buffer | null;
}

/** The fields of the start requests of every kind. */
export type StartRequest = Omit<StartConsole, 'type' | 'room_url' | 'rom_url'>;

/** The service's settings that start specs depend on. */
export interface StartSettings {
  /** Proxy for Chromium sessions that specify none. */
  readonly httpProxy: HttpProxy | null;
  /** Time zone of browsers that specify none; null: UTC. */
  readonly timezone: string | null;
  /** `maxBytes`: size of the largest game, unpacked. */
  readonly roms: { readonly maxBytes: number };
  readonly android: {
    readonly devices: { readonly type: 'emulator' | 'adb' };
    readonly deadlines: AndroidDeadlines;
    /** Limits of containers with an emulator. */
    readonly emulator: { readonly memoryMb: number; readonly cpus: number; readonly diskMb: number };
  };
}

/** Defaults that depend on the kind. */
interface Defaults {
  fps: number;
  hideCursor: boolean;
  size?: Size;
}

const LANDSCAPE: Size = { width: 1280, height: 720 };

const MAX_AREA = 1920 * 1080;
/** Viewers may at least resize to this, unless the request says otherwise. */
const DEFAULT_MAX_AREA = 1280 * 720;
const DEFAULT_OFFLINE_MS = 3_600_000;
const DEFAULT_WARNING_MS = 60_000;

/** Checks what a schema cannot express about a display's size. */
export function areaProblems(request: StartRequest, size?: Size): Problem[] {
  const { width, height } = sizeOf(request, size);
  const area = width * height;
  if (area > MAX_AREA) {
    const message = `width x height must be <= ${MAX_AREA}, but is ${area}`;
    return [
      { path: '/width', message },
      { path: '/height', message },
    ];
  }
  if (request.max_area !== undefined && request.max_area < area) {
    return [{ path: '/max_area', message: `must be >= width x height, which is ${area}` }];
  }
  return [];
}

/** The common part of a start request, with defaults filled in. */
export function sessionSpec(
  request: StartRequest,
  { fps, hideCursor, size }: Defaults,
): Omit<StartSpec, 'launch' | 'rom'> & { display: DisplayOptions } {
  const { width, height } = sizeOf(request, size);
  const { timeout } = request;
  return {
    display: {
      width,
      height,
      fps: request.fps ?? fps,
      max_area: request.max_area ?? Math.max(width * height, DEFAULT_MAX_AREA),
      quality: request.quality?.mode ?? 'smooth',
      hide_cursor: hideCursor,
    },
    defaults: {
      roles: [...(request.default_roles ?? DEFAULT_ROLES)],
      control_disabled: request.control_disable_default ?? false,
      ...(request.user_names === true ? { own_names: true } : {}),
    },
    auth: authPolicy(request.auth),
    region: request.region ?? null,
    tag: request.tag ?? null,
    tenantId: request.tenant_id ?? null,
    metadata: request.metadata ?? {},
    timeouts: {
      absolute: milliseconds(timeout?.absolute, null),
      inactive: milliseconds(timeout?.inactive, null),
      offline: milliseconds(timeout?.offline, DEFAULT_OFFLINE_MS),
      warning: milliseconds(timeout?.warning, DEFAULT_WARNING_MS),
    },
    webhook: timeout?.webhook ? receiver(timeout.webhook) : null,
    events: eventReceiver(request.events),
    profile: profileSpec(request.profile),
    extension: null,
  };
}

function authPolicy(auth: StartRequest['auth']): Session['auth'] {
  if (auth?.type !== 'webhook' || auth.value === undefined) return { type: 'token' };
  return { type: 'webhook', ...receiver(auth.value) };
}

function eventReceiver(events: StartRequest['events']): Session['events'] {
  return events === undefined ? null : { ...receiver(events.webhook), names: events.names ?? null };
}

function receiver({
  url,
  bearer = null,
  secret = null,
}: {
  url: string;
  bearer?: string | null;
  secret?: string | null;
}) {
  return { url, bearer, secret };
}

function sizeOf(request: StartRequest, { width, height } = LANDSCAPE): Size {
  return { width: request.width ?? width, height: request.height ?? height };
}
