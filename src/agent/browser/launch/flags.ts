import { isChromePage } from '../../../protocol/browser-url.js';
import type { ChromiumOptions, LaunchChromium } from '../../../protocol/generated/schemas.js';
import { NO_PAGE } from '../../../protocol/extension.js';
import { WAITING_PAGE, waitsForExtension } from './first-page.js';
import { locale } from './locale.js';
import { DEFAULT_PROFILE, PROFILE_FOLDER } from '../paths.js';
import { BLANK, startUrl } from './start-url.js';
import { androidFlags } from './user-agent.js';

export interface FlagContext {
  /** Whether tabs of the last run can be restored. */
  readonly restore: boolean;
  /** Whether the browser is started before its launch, and so without a page. */
  readonly isPrepared?: boolean;
  /** Whether the profile is a saved one. */
  readonly loaded?: boolean;
  /** Whether the container has a GPU that it may use. */
  readonly gpu: boolean;
  /** Chromium's major version. */
  readonly major: number;
  /** Folders of the extensions to load. */
  readonly extensions: readonly string[];
}

/** Chromium's command line arguments for a session. */
export function flags(
  launch: LaunchChromium,
  { restore, isPrepared = false, loaded = false, gpu, major, extensions }: FlagContext,
): string[] {
  const { chromium } = launch;
  return [
    ...BASE,
    ...(chromium.webgl ? (gpu ? WEBGL_ON_CARD : WEBGL_IN_SOFTWARE) : NO_GPU),
    ...(chromium.dark ? ['--force-dark-mode'] : []),
    ...(chromium.kiosk ? ['--kiosk'] : ['--start-maximized']),
    ...(chromium.user_agent === 'chrome_android' ? androidFlags(major) : []),
    `--load-extension=${extensions.join(',')}`,
    `--user-data-dir=${PROFILE_FOLDER}`,
    `--profile-directory=${DEFAULT_PROFILE}`,
    `--accept-lang=${locale(chromium.locale).languages.join(',')}`,
    // If no tabs are restored, session cookies are kept anyway.
    ...(loaded && !restore ? ['--restore-last-session'] : []),
    ...(isPrepared ? ['--', NO_PAGE] : page(chromium, restore)),
  ];
}

function page(chromium: ChromiumOptions, restore: boolean): string[] {
  const { start_url = BLANK } = chromium;
  if (restore) return ['--restore-last-session'];
  if (isChromePage(start_url)) return [];
  return ['--', waitsForExtension(chromium) ? WAITING_PAGE : startUrl(start_url)];
}

const DISABLED_FEATURES = [
  'Translate',
  'MediaRouter',
  'DialMediaRouteProvider',
  'OptimizationHints',
  'DisableLoadExtensionCommandLineSwitch',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  // The window is on a display that nobody views directly, but must be painted nonetheless.
  'CalculateNativeWinOcclusion',
  // Pages for the address bar's list and for bubbles, which Chromium loads in advance: half of the processor time of its
  // start, and 32 MiB. The list is drawn without a page, as before them; bubbles load theirs when they are opened.
  'PreloadTopChromeWebUI',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  // Pages with TLS could not have files downloaded from addresses without it.
  'TreatUnsafeDownloadsAsActive',
];

const BASE = [
  '--ozone-platform=x11',
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--hide-crash-restore-bubble',
  '--noerrdialogs',
  '--autoplay-policy=no-user-gesture-required',
  '--force-device-scale-factor=1',
  '--disable-backgrounding-occluded-windows',
  // Hides the bar announcing that the internal extension is debugging a page.
  '--silent-debugger-extension-api',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

const NO_GPU = ['--disable-gpu', '--disable-software-rasterizer'];

/** Pages are composited without GL; only WebGL itself uses it, with SwiftShader as the fallback. */
const WEBGL = ['--disable-gpu-compositing', '--use-gl=angle', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];

const WEBGL_IN_SOFTWARE = [...WEBGL, '--use-angle=swiftshader-webgl'];

/** Uses Vulkan, and does not render into windows, since the X server cannot share buffers with a GPU (DRI3). */
const WEBGL_ON_CARD = [...WEBGL, '--use-angle=vulkan', '--enable-features=Vulkan', '--disable-vulkan-surface'];
