import { readFile } from 'node:fs/promises';
import t from 'tap';
import { withoutFileAccess } from '../../../src/agent/browser/extension/file-access.js';
import { EXTENSION_ID } from '../../../src/protocol/extension.js';
import { idOfFolder, idOfKey } from '../../../src/protocol/extension-id.js';

const SWITCH = 'newAllowFileAccess';

t.test('neither loaded extensions nor those of a profile can read files', async t => {
  const settings = {
    installed: { [SWITCH]: true, path: 'x' },
    off: { [SWITCH]: false },
    [EXTENSION_ID]: { [SWITCH]: true },
  };
  const saved = { extensions: { settings, pinned: ['a'] }, other: 1 };
  t.same(withoutFileAccess(saved, ['loaded', 'installed', EXTENSION_ID]), {
    extensions: {
      settings: {
        installed: { [SWITCH]: false, path: 'x' },
        off: { [SWITCH]: false },
        loaded: { [SWITCH]: false },
        // It hands uploads to pages.
        [EXTENSION_ID]: { [SWITCH]: true },
      },
      pinned: ['a'],
    },
    other: 1,
  });
});

t.test('missing or malformed preferences are no obstacle', async t => {
  for (const saved of [
    {},
    { extensions: 1 },
    { extensions: { settings: [] } },
    { extensions: { settings: { loaded: 'x' } } },
  ])
    t.same(withoutFileAccess(saved, ['loaded'])['extensions'], { settings: { loaded: { [SWITCH]: false } } });
});

t.test('IDs are those that Chromium derives', async t => {
  // As chrome.runtime.id told them.
  t.equal(idOfFolder('/home/berth/extensions/custom'), 'lejedbhcmlknmcfgppheopcnefmdioak');
  const { key } = JSON.parse(await readFile('src/extensions/internal/manifest.json', 'utf8')) as { key: string };
  t.equal(idOfKey(key), EXTENSION_ID);
});
