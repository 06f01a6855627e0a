import { flags } from '../../src/agent/browser/launch/flags.js';
import { CHROMIUM, PROFILE_FOLDER } from '../../src/agent/browser/paths.js';

export interface Scene {
  url: string;
  width: number;
  height: number;
}

/** The command that starts a session's Chromium; what Berth is compared with uses the same one. */
export function chromiumCommand({ url, width, height }: Scene): string[] {
  const display = { width, height, fps: 60, max_area: width * height, quality: 'smooth', hide_cursor: false } as const;
  const chromium = { start_url: url, kiosk: true, webgl: false, dark: false };
  // The version matters only to presets of other browsers.
  return [
    CHROMIUM,
    ...flags(
      { type: 'launch', kind: 'chromium', display, chromium },
      { restore: false, gpu: false, major: 0, extensions: [] },
    ),
  ];
}

/** The command of somebody who starts Chromium on an X server and knows nothing of Berth's arguments. */
export function plainCommand({ url, width, height }: Scene): string[] {
  return [
    CHROMIUM,
    '--ozone-platform=x11',
    '--no-first-run',
    '--no-default-browser-check',
    '--password-store=basic',
    '--disable-gpu',
    '--disable-software-rasterizer',
    '--kiosk',
    `--user-data-dir=${PROFILE_FOLDER}`,
    '--window-position=0,0',
    `--window-size=${width},${height}`,
    url,
  ];
}
