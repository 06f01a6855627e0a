import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CHROMIUM } from '../paths.js';

/** The user agent string of Chrome on Android: reduced, so the same on every phone except for the version. */
export const androidUserAgent = (major: number) =>
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  `Chrome/${major}.0.0.0 Mobile Safari/537.36`;

/** Chromium's page settings on phones: viewport handling, and touch as the only pointer. */
const PHONE = {
  viewportEnabled: true,
  viewportMetaEnabled: true,
  // The layout of phones, where pages without a viewport are laid out at least 980 pixels wide.
  viewportStyle: 1,
  shrinksViewportContentToFit: true,
  // Coarse, and no hovering.
  primaryPointerType: 2,
  availablePointerTypes: 2,
  primaryHoverType: 1,
  availableHoverTypes: 1,
};

/** Arguments of the preset `chrome_android`. */
export const androidFlags = (major: number) => [
  `--user-agent=${androidUserAgent(major)}`,
  '--touch-events=enabled',
  `--blink-settings=${Object.entries(PHONE)
    .map(setting => setting.join('='))
    .join(',')}`,
];

/** Major version in the output of `chromium --version`; the fallback makes unexpected output non-fatal. */
export const majorOf = (version: string, fallback = 150) => Number(/(\d+)\.\d+\.\d+/.exec(version)?.[1] ?? fallback);

/** Asks the installed Chromium for its major version. */
export async function chromiumMajor(env: Record<string, string>): Promise<number> {
  const { stdout } = await promisify(execFile)(CHROMIUM, ['--version'], { env, timeout: 5000 });
  return majorOf(stdout);
}
