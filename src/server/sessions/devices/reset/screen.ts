import type { Shell } from '../../../../adb/shell.js';
import { each, isPackage, listed, matches } from './step.js';

/** A task in the list of recent apps. */
interface Task {
  /** What `am stack remove` takes: the task, below Android 11 its stack. */
  readonly id: string;
  /** What it shows: `A=10154:com.android.chrome`. */
  readonly name: string;
}

/** Both forms: `Task{… #12 type=standard A=1000:com.app}`, `TaskRecord{… #12 A=com.app U=0 StackId=7 sz=1}`. */
const TASK = /Recent #\d+: Task(?:Record)?\{\S+ #(\d+) ([^\n]*)\}/g;

/** Home screen and the list itself; below Android 11 they are told by their stack. */
const FIXED = /\btype=(home|recents|assistant|dream)\b|\bStackId=0\b/;

async function tasks(shell: Shell): Promise<Task[]> {
  const dump = await shell.ask(['dumpsys', 'activity', 'recents']);
  return [...dump.matchAll(TASK)].flatMap(([, task = '', rest = '']) => {
    if (FIXED.test(rest)) return [];
    const [, stack] = /\bStackId=(\d+)/.exec(rest) ?? [];
    const [name = rest] = /\b[AI]=\S+/.exec(rest) ?? [];
    return [{ id: stack ?? task, name }];
  });
}

/** The list of recent apps, with pictures of what they showed. */
export const recents = listed({
  name: 'recent apps',
  isTransient: true,
  list: async shell => (await tasks(shell)).map(({ name }) => name),
  async remove(shell, names) {
    const gone = (await tasks(shell)).filter(({ name }) => names.includes(name));
    await each(
      shell,
      gone.map(({ id }) => `am stack remove ${id} 2>&1`),
    );
  },
});

/** The system's own, such as that of a USB connection. */
const SYSTEM: readonly string[] = ['android', 'com.android.systemui'];

/** Notifications: an app loses its own when it is stopped. Turning their history off deletes it. */
export const notifications = listed({
  name: 'notifications',
  isTransient: true,
  async list(shell) {
    const dump = await shell.ask(['dumpsys', 'notification', '--noredact']);
    return matches(dump, /NotificationRecord\(0x[0-9a-f]+:? pkg=(\S+)/g).filter(app => !SYSTEM.includes(app));
  },
  async remove(shell, apps) {
    await each(shell, [
      'settings put secure notification_history_enabled 0',
      ...apps.filter(isPackage).map(app => `am force-stop ${app}`),
    ]);
  },
});

/** Size and density, which sessions set, and the home screen. */
export const display = listed({
  name: 'size of the screen',
  isTransient: true,
  list: async shell => matches(await each(shell, ['wm size', 'wm density']), /^(Override .*\S)\s*$/gm),
  remove: async shell => void (await each(shell, ['wm size reset', 'wm density reset'])),
});

/** Shows the home screen. */
export const goHome = (shell: Shell): Promise<string> =>
  each(shell, ['am start -a android.intent.action.MAIN -c android.intent.category.HOME 2>&1']);
