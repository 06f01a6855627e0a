import type { HttpProxy, StartChromium } from '../../../protocol/generated/schemas.js';
import { sessionOrder, type Order } from './order.js';
import { profileOptions } from './profile.js';

const DEFAULT_FPS = 24;

/** Turns a valid request into an order, filling in the defaults; `httpProxy` is that of sessions that name none. */
export function chromiumOrder(
  request: StartChromium,
  extension: Buffer | null = null,
  httpProxy: HttpProxy | null = null,
): Order {
  const proxy = request.http_proxy ?? httpProxy ?? undefined;
  const { display, ...order } = sessionOrder(request, { fps: DEFAULT_FPS, hideCursor: request.hide_cursor ?? false });
  return {
    ...order,
    launch: {
      type: 'launch',
      kind: 'chromium',
      display,
      chromium: {
        ...(order.profile.load !== null && request.start_url === undefined ? {} : { start_url: request.start_url ?? 'about:blank' }),
        kiosk: request.kiosk ?? false,
        webgl: request.webgl ?? false,
        dark: request.dark ?? false,
        ...(request.user_agent === undefined ? {} : { user_agent: request.user_agent }),
        ...(request.locale === undefined ? {} : { locale: request.locale }),
        ...(request.touch_gestures === undefined ? {} : { touch_gestures: request.touch_gestures }),
        ...(request.search_engine === undefined ? {} : { search_engine: request.search_engine }),
        ...(proxy === undefined ? {} : { http_proxy: proxy }),
        ...((request.adblock ?? request.ublock) ? { adblock: true } : {}),
        ...profileOptions(order.profile),
        ...(request.draw ? { draw: true } : {}),
        ...(extension === null ? {} : { extension: true }),
      },
    },
    rom: null,
    extension,
  };
}
