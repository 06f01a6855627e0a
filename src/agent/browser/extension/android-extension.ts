import { mkdirSync, writeFileSync } from 'node:fs';

/**
 * The part of the preset `chrome_android` for which Chromium has no flags: client hints and the script properties that
 * name the platform.
 */
export const ANDROID_EXTENSION: Readonly<Record<string, string>> = {
  'manifest.json': JSON.stringify({
    manifest_version: 3,
    name: 'Android preset',
    version: '1.0',
    permissions: ['declarativeNetRequest'],
    host_permissions: ['<all_urls>'],
    declarative_net_request: { rule_resources: [{ id: 'hints', enabled: true, path: 'rules.json' }] },
    content_scripts: [
      {
        matches: ['<all_urls>'],
        js: ['page.js'],
        run_at: 'document_start',
        world: 'MAIN',
        all_frames: true,
        match_origin_as_fallback: true,
      },
    ],
  }),
  'rules.json': JSON.stringify([
    {
      id: 1,
      action: {
        type: 'modifyHeaders',
        requestHeaders: [
          { header: 'sec-ch-ua-mobile', operation: 'set', value: '?1' },
          { header: 'sec-ch-ua-platform', operation: 'set', value: '"Android"' },
          { header: 'sec-ch-ua-platform-version', operation: 'remove' },
          { header: 'sec-ch-ua-arch', operation: 'remove' },
          { header: 'sec-ch-ua-bitness', operation: 'remove' },
        ],
      },
      condition: {
        resourceTypes: [
          'main_frame',
          'sub_frame',
          'stylesheet',
          'script',
          'image',
          'font',
          'object',
          'xmlhttprequest',
          'ping',
          'media',
          'websocket',
          'other',
        ],
      },
    },
  ]),
  'page.js': `
(() => {
  const define = (object, name, value) =>
    Object.defineProperty(object, name, { get: () => value, configurable: true, enumerable: true });
  define(Navigator.prototype, 'platform', 'Linux armv81');
  define(Navigator.prototype, 'maxTouchPoints', 5);
  if (!self.NavigatorUAData) return;
  const hints = NavigatorUAData.prototype;
  const { getHighEntropyValues, toJSON } = hints;
  const phone = { mobile: true, platform: 'Android' };
  define(hints, 'mobile', phone.mobile);
  define(hints, 'platform', phone.platform);
  hints.toJSON = function () {
    return { ...toJSON.call(this), ...phone };
  };
  hints.getHighEntropyValues = async function (wanted) {
    const values = { ...(await getHighEntropyValues.call(this, wanted)), ...phone };
    if ('formFactors' in values) values.formFactors = ['Mobile'];
    return values;
  };
})();
`,
};

/** Writes the extension to a folder. */
export function writeAndroidExtension(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(ANDROID_EXTENSION)) writeFileSync(`${folder}/${name}`, text);
}
