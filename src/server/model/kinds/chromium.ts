import type { Launch, StartChromium, TouchGestures } from '../../../protocol/generated/schemas.js';
import { browserUrl } from '../../../protocol/browser-url.js';
import { canonicalTimeZone } from '../../../protocol/time-zone.js';
import { CLIPBOARD_MAX_BYTES } from '../../../protocol/message-type.js';
import type { Kind, Start } from './kind.js';
import { areaProblems, sessionSpec, type StartSettings, type StartSpec } from './start-spec.js';
import { profileOptions } from './profile.js';

const BLANK = 'about:blank';

/** Starting a browser. */
const start: Start<StartChromium> = {
  operations: [{ path: '/v0/vm', id: 'startChromium', summary: 'Start a Chromium session' }],
  description:
    'Answers when the session runs. An empty body, or none, is valid. A custom extension comes as multipart/form-data: ' +
    'the JSON in the part `body`, the archive (`.zip` or `.crx`, at most 1 MiB) in the part that `extension.field` names.',
  schema: 'start-chromium.json',
  required: false,
  example: {
    start_url: 'https://example.com',
    width: 1280,
    height: 720,
    fps: 30,
    timeout: {
      absolute: 7200,
      inactive: 900,
      webhook: { url: 'https://backend.example.com/timeouts', bearer: 'a-secret' },
    },
    tenant_id: 'customer-17',
  },
  takesExtension: true,
  errors: ['bad_request', 'extension_invalid', 'extension_unsupported'],
  problems: areaProblems,
  spec,
};

/** A browser. */
export const chromium: Kind = {
  image: 'chromium',
  start,
  profile: { kind: 'chromium', owner: 'a browser', attemptMs: 120_000, checkpoints: true, space: 'home' },
  seats: 0,
  gestures,
  pageTouch: launch => isPhone(launch) && gestures(launch).pinch === true,
  withoutSecrets,
  pods: true,
  warmPool: 'always',
  // Every container gets the GPU, since warm ones do not know yet who will ask for WebGL.
  host: { graphicsCard: true, bios: false },
  resizable: true,
  clipboardBytes: CLIPBOARD_MAX_BYTES,
  clipboardContent: true,
  content: null,
  device: false,
  prepares: true,
};

const isPhone = (launch: Launch) => 'chromium' in launch && launch.chromium.user_agent === 'chrome_android';

/** Mobile displays have touch, unless the request says otherwise. */
function gestures(launch: Launch): TouchGestures {
  if (!('chromium' in launch)) return {};
  const { touch_gestures = {} } = launch.chromium;
  return isPhone(launch) ? { pinch: true, ...touch_gestures } : touch_gestures;
}

function withoutSecrets(launch: Launch): Launch {
  if (!('chromium' in launch)) return launch;
  const { kiosk, webgl, dark } = launch.chromium;
  return { ...launch, chromium: { kiosk, webgl, dark } };
}

/** Turns a valid request into a start spec, filling in the defaults. */
function spec(request: StartChromium, settings: StartSettings): StartSpec {
  const proxy = request.http_proxy ?? settings.httpProxy ?? undefined;
  const timezone = canonicalTimeZone(request.timezone ?? settings.timezone ?? '');
  const { display, ...spec } = sessionSpec(request, {
    fps: 24,
    hideCursor: request.hide_cursor ?? false,
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
        ...(timezone === null ? {} : { timezone }),
        ...(request.touch_gestures === undefined ? {} : { touch_gestures: request.touch_gestures }),
        ...(request.search_engine === undefined ? {} : { search_engine: request.search_engine }),
        ...(proxy === undefined ? {} : { http_proxy: proxy }),
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- older callers still send it
        ...((request.adblock ?? request.ublock) ? { adblock: true } : {}),
        ...profileOptions(spec.profile),
        ...(request.draw ? { draw: true } : {}),
        ...(request.extension === undefined ? {} : { extension: true }),
      },
    },
    rom: null,
  };
}
