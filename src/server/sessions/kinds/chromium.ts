import type { Launch, Region, StartChromium } from '../../../protocol/generated/schemas.js';
import type { Problem } from '../../../protocol/validation.js';
import { DEFAULT_ROLES } from '../../participants/index.js';
import { milliseconds } from '../milliseconds.js';
import type { Session } from '../session.js';
import { profileOrder, type ProfileOrder } from './profile.js';

/** What a start request asks for, whatever the kind. */
export interface Order {
  launch: Launch;
  defaults: Session['defaults'];
  auth: Session['auth'];
  region: Region;
  tag: string | null;
  tenantId: string | null;
  timeouts: Session['timeouts'];
  webhook: Session['webhook'];
  profile: ProfileOrder;
}

const MAX_AREA = 1920 * 1080;
const DEFAULT_OFFLINE_MS = 3_600_000;
const DEFAULT_WARNING_MS = 60_000;

/** What a schema cannot say about a start request. */
export function chromiumProblems(request: StartChromium): Problem[] {
  const { width, height } = sizeOf(request);
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

/** The fields of a valid request that this version cannot carry out yet. */
export function unsupportedFields(request: StartChromium): string[] {
  const asked: [string, boolean][] = [
    ['/touch_gestures', request.touch_gestures?.swipe === true || request.touch_gestures?.pinch === true],
    ['/extension', request.extension !== undefined],
    ['/search_engine', request.search_engine !== undefined],
  ];
  return asked.filter(([, wanted]) => wanted).map(([path]) => path);
}

/** Turns a valid request into an order, filling in the defaults. */
export function chromiumOrder(request: StartChromium): Order {
  const { width, height } = sizeOf(request);
  const { timeout } = request;
  const profile = profileOrder(request.profile);
  const [load, save] = [profile.load !== null, profile.save !== null];
  return {
    launch: {
      type: 'launch',
      kind: 'chromium',
      display: {
        width,
        height,
        fps: request.fps ?? 24,
        max_area: request.max_area ?? width * height,
        quality: request.quality?.mode ?? 'smooth',
        hide_cursor: request.hide_cursor ?? false,
      },
      chromium: {
        ...(load && request.start_url === undefined ? {} : { start_url: request.start_url ?? 'about:blank' }),
        kiosk: request.kiosk ?? false,
        webgl: request.webgl ?? false,
        dark: request.dark ?? false,
        ...(request.user_agent === undefined ? {} : { user_agent: request.user_agent }),
        ...(request.locale === undefined ? {} : { locale: request.locale }),
        ...((request.adblock ?? request.ublock) ? { adblock: true } : {}),
        ...(load || save ? { profile: { load, save } } : {}),
        ...(request.draw ? { draw: true } : {}),
      },
    },
    defaults: {
      roles: [...(request.default_roles ?? DEFAULT_ROLES)],
      control_disabled: request.control_disable_default ?? false,
    },
    auth: authPolicy(request.auth),
    region: request.region ?? 'NA',
    tag: request.tag ?? null,
    tenantId: request.tenant_id ?? null,
    timeouts: {
      absolute: milliseconds(timeout?.absolute, null),
      inactive: milliseconds(timeout?.inactive, null),
      offline: milliseconds(timeout?.offline, DEFAULT_OFFLINE_MS),
      warning: milliseconds(timeout?.warning, DEFAULT_WARNING_MS),
    },
    webhook: timeout?.webhook ? { url: timeout.webhook.url, bearer: timeout.webhook.bearer ?? null } : null,
    profile,
  };
}

function authPolicy(auth: StartChromium['auth']): Session['auth'] {
  if (auth?.type !== 'webhook' || auth.value === undefined) return { type: 'token' };
  return { type: 'webhook', url: auth.value.url, bearer: auth.value.bearer ?? null };
}

function sizeOf(request: StartChromium): { width: number; height: number } {
  return { width: request.width ?? 1280, height: request.height ?? 720 };
}
