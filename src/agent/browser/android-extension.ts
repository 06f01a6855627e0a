import { mkdir, writeFile } from 'node:fs/promises';

/**
 * The part of the preset `chrome_android` that Chromium has no flags for: client hints and the script
 * properties that name the platform.
 */
export const ANDROID_EXTENSION: Readonly<Record<string, string>> = {
  'manifest.json': JSON.stringify({
    manifest_version: 3,
    name: 'Android preset',
    version: '1.0',
    permissions: ['declarativeNetRequest', 'tabs'],
    background: { service_worker: 'start.js' },
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
          'main_frame', 'sub_frame', 'stylesheet', 'script', 'image', 'font', 'object', 'xmlhttprequest', 'ping',
          'media', 'websocket', 'other',
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

/**
 * The page Chromium starts on instead of the start page, which would be asked for before an
 * extension that it needs is loaded. The extension goes on from here.
 */
export const ANDROID_WAITING_PAGE = 'data:text/html,%20';

const startScript = (address: string) => `
const start = async () => {
  const tabs = await chrome.tabs.query({});
  for (const tab of tabs) {
    if ((tab.pendingUrl || tab.url) === ${JSON.stringify(ANDROID_WAITING_PAGE)}) chrome.tabs.update(tab.id, { url: ${JSON.stringify(address)} });
  }
};
chrome.runtime.onInstalled.addListener(start);
chrome.runtime.onStartup.addListener(start);
chrome.tabs.onCreated.addListener(start);
`;

/** Writes the extension into a folder. `address` is the start page. */
export async function writeAndroidExtension(folder: string, address: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = Object.entries({ ...ANDROID_EXTENSION, 'start.js': startScript(address) });
  await Promise.all(files.map(([name, text]) => writeFile(`${folder}/${name}`, text)));
}
