import type { StartChromium } from '../../../protocol/generated/schemas.js';
import { sessionOrder, type Order } from './order.js';
import { profileOrder } from './profile.js';

const DEFAULT_FPS = 24;

/** The fields of a valid request that this version cannot carry out yet. */
export function unsupportedFields(request: StartChromium): string[] {
  const asked: [string, boolean][] = [
    ['/touch_gestures', request.touch_gestures?.swipe === true || request.touch_gestures?.pinch === true],
    ['/search_engine', request.search_engine !== undefined],
  ];
  return asked.filter(([, wanted]) => wanted).map(([path]) => path);
}

/** Turns a valid request into an order, filling in the defaults. */
export function chromiumOrder(request: StartChromium, extension: Buffer | null = null): Order {
  const profile = profileOrder(request.profile);
  const [load, save] = [profile.load !== null, profile.save !== null];
  const { display, ...order } = sessionOrder(request, { fps: DEFAULT_FPS, hideCursor: request.hide_cursor ?? false });
  return {
    ...order,
    launch: {
      type: 'launch',
      kind: 'chromium',
      display,
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
        ...(extension === null ? {} : { extension: true }),
      },
    },
    rom: null,
    profile,
    extension,
  };
}
