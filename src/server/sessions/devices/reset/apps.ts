import { escapeArg } from '@yume-chan/adb';
import type { Shell } from '../../../../adb/shell.js';
import { each, isPackage, listed, matches, type ResetStep } from './step.js';

/** The IDs that `pm list packages` prints with these options. @throws ShellError */
const packages = async (shell: Shell, ...options: string[]): Promise<string[]> =>
  matches(await shell.ask(['pm', 'list', 'packages', ...options]), /^package:(\S+)\s*$/gm).filter(isPackage);

/** A viewer can add users and work profiles in the settings. */
export const users = listed({
  name: 'users',
  list: async shell => matches(await shell.ask(['pm', 'list', 'users']), /UserInfo\{(\d+):/g),
  remove: async (shell, ids) =>
    void (await each(shell, ['am switch-user 0', ...ids.map(id => `pm remove-user ${id}`)])),
});

/** Such an app cannot be removed, nor its data. Android lets adb disable those only that are meant for tests. */
export const administrators = listed({
  name: 'device administrators',
  async list(shell) {
    const dump = await shell.ask(['dumpsys', 'device_policy']);
    return matches(dump, /^\s+([A-Za-z][\w.]*\/[\w.$]+):\s*$/gm).concat(
      matches(dump, /admin=ComponentInfo\{([A-Za-z][\w.]*\/[\w.$]+)\}/g),
    );
  },
  async remove(shell, components) {
    await each(
      shell,
      components.map(it => `dpm remove-active-admin --user 0 ${escapeArg(it)} 2>&1`),
    );
  },
});

/** Apps that were installed. */
export const installed = listed({
  name: 'apps',
  list: shell => packages(shell, '-3'),
  async remove(shell, ids) {
    await each(
      shell,
      ids.flatMap(id => [`am force-stop ${id} 2>&1`, `pm uninstall ${id} 2>&1`]),
    );
  },
});

/** Apps that were disabled. */
export const disabled = listed({
  name: 'disabled apps',
  list: shell => packages(shell, '-d'),
  remove: async (shell, ids) =>
    void (await each(
      shell,
      ids.map(id => `pm enable ${id} 2>&1`),
    )),
});

/** Apps that keep what people enter or receive, though nobody opens them. */
const KEEPERS: readonly string[] = [
  'com.android.bluetooth',
  'com.android.documentsui',
  'com.android.providers.blockednumber',
  'com.android.providers.calendar',
  'com.android.providers.contacts',
  'com.android.providers.downloads',
  'com.android.providers.media',
  'com.android.providers.media.module',
  'com.android.providers.telephony',
  'com.android.providers.userdictionary',
  'com.google.android.documentsui',
  'com.google.android.gms',
  'com.google.android.googlequicksearchbox',
  'com.google.android.providers.media.module',
];

/** Apps that may hold a session's data: all that a viewer can open, those installed, keyboards, and the keepers. */
async function used(shell: Shell): Promise<string[]> {
  const query = (...intent: string[]) => shell.ask(['cmd', 'package', 'query-activities', '--brief', ...intent]);
  const component = /^\s*([A-Za-z][\w.]*)\/[\w.$]+\s*$/gm;
  const launchable = await query('-a', 'android.intent.action.MAIN', '-c', 'android.intent.category.LAUNCHER');
  const home = await query('-a', 'android.intent.action.MAIN', '-c', 'android.intent.category.HOME');
  const browsers = await query('-a', 'android.intent.action.VIEW', '-d', 'https://example.org/');
  const keyboards = await shell.ask(['ime', 'list', '-a', '-s']);
  const all = new Set(await packages(shell));
  const found = [launchable, home, browsers, keyboards].flatMap(text => matches(text, component));
  const names = new Set([...found, ...KEEPERS, ...(await packages(shell, '-3'))]);
  return [...names].filter(name => isPackage(name) && all.has(name));
}

/**
 * Data of apps: Android deletes them, stops the app, and removes its tasks and notifications. Whether they are gone only
 * its answer tells, since other programs cannot see them.
 */
export const appData: ResetStep = {
  name: 'data of apps',
  note: shell => appData.clear(shell, new Set()),
  async clear(shell, before) {
    const wanted = (await used(shell)).filter(id => !before.has(id));
    const clearing = (ids: readonly string[]) =>
      each(
        shell,
        ids.map(id => `echo "${id} $(pm clear ${id} 2>&1)"`),
      );
    const refused = (ids: readonly string[], told: string) => ids.filter(id => !told.includes(`${id} Success`));
    const again = refused(wanted, await clearing(wanted));
    return again.length === 0 ? [] : refused(again, await clearing(again));
  },
};
