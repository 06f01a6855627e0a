import type { HttpProxy, Launch, StartChromium, TouchGestures } from '../../../protocol/generated/schemas.js';
import { browserUrl } from '../../../protocol/browser-url.js';
import { CLIPBOARD_MAX_BYTES } from '../../../protocol/message-type.js';
import type { Kind } from './kind.js';
import { sessionSpec, type StartSpec } from './start-spec.js';
import { profileOptions } from './profile.js';

const BLANK = 'about:blank';

/** A browser. */
export const chromium: Kind = {
  image: 'chromium',
  profile: 'chromium',
  defaults: { fps: 24, hideCursor: false },
  seats: 0,
  gestures,
  withoutSecrets,
  pods: true,
  warmPool: 'always',
  // Every container gets the GPU, since warm ones do not know yet who will ask for WebGL.
  host: { graphicsCard: true, bios: false },
  resizable: true,
  clipboardBytes: CLIPBOARD_MAX_BYTES,
  content: null,
  device: false,
  prepares: true,
};

/** Mobile displays have touch, unless the request says otherwise. */
function gestures(launch: Launch): TouchGestures {
  if (!('chromium' in launch)) return {};
  const { touch_gestures = {}, user_agent } = launch.chromium;
  return user_agent === 'chrome_android' ? { pinch: true, ...touch_gestures } : touch_gestures;
}

function withoutSecrets(launch: Launch): Launch {
  if (!('chromium' in launch)) return launch;
  const { kiosk, webgl, dark } = launch.chromium;
  return { ...launch, chromium: { kiosk, webgl, dark } };
}

/** Turns a valid request into a start spec, filling in the defaults; `httpProxy` is for sessions that specify none. */
export function chromiumSpec(
  request: StartChromium,
  extension: Buffer | null = null,
  httpProxy: HttpProxy | null = null,
): StartSpec {
  const proxy = request.http_proxy ?? httpProxy ?? undefined;
  const { display, ...spec } = sessionSpec(request, {
    ...chromium.defaults,
    ...(request.hide_cursor === undefined ? {} : { hideCursor: request.hide_cursor }),
  });
  return {
    ...spec,
    launch: {
      type: 'launch',
      kind: 'chromium',
      display,
      chromium: {
        ...(spec.profile.load !== null && request.start_url === undefined
          ? {}
          : { start_url: browserUrl(request.start_url ?? BLANK) ?? BLANK }),
        kiosk: request.kiosk ?? false,
        webgl: request.webgl ?? false,
        dark: request.dark ?? false,
        ...(request.user_agent === undefined ? {} : { user_agent: request.user_agent }),
        ...(request.locale === undefined ? {} : { locale: request.locale }),
        ...(request.touch_gestures === undefined ? {} : { touch_gestures: request.touch_gestures }),
        ...(request.search_engine === undefined ? {} : { search_engine: request.search_engine }),
        ...(proxy === undefined ? {} : { http_proxy: proxy }),
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- older callers still send it
        ...((request.adblock ?? request.ublock) ? { adblock: true } : {}),
        ...profileOptions(spec.profile),
        ...(request.draw ? { draw: true } : {}),
        ...(extension === null ? {} : { extension: true }),
      },
    },
    rom: null,
    extension,
  };
}
