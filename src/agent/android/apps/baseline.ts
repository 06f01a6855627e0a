import { escapeArg } from '@yume-chan/adb';
import type { Shell } from '../adb/shell.js';

/** Where the agent's own files are on a device. */
export const DEVICE_FOLDER = '/data/local/tmp/berth';

/** Where viewers' files go. */
export const DOWNLOADS = '/sdcard/Download';

const RECORD = `${DEVICE_FOLDER}/before`;

/** Milliseconds that cleaning may take. */
const PATIENCE = 20_000;

/** What sessions set (prepare.ts, and the call android.rotate). */
const SETTINGS = ['system accelerometer_rotation', 'system user_rotation', 'global stay_on_while_plugged_in'] as const;

/** What a device had before the session: the apps that it did not come with, the files in its downloads, and settings. */
interface Baseline {
  readonly apps: readonly string[];
  readonly files: readonly string[];
  /** Commands that set what sessions change as it was. */
  readonly settings: readonly string[];
}

/** The first line tells a device that had nothing from one without a note. */
const HEADER = 'baseline';

/** Fails when the device does not tell its apps: they would all seem to have come with the session. */
const LISTING = [
  `echo ${HEADER}`,
  'apps=$(pm list packages -3)',
  'echo "$apps" | sed -n "s/^package:/app /p"',
  `ls -A ${DOWNLOADS} 2>/dev/null | sed 's/^/file /'`,
  ...SETTINGS.map(it => `echo "setting ${it} $(settings get ${it})"`),
].join(' && ');

/** Notes on the device what it has, unless a session that was killed has left its note; returns whether one has. */
export async function noteBaseline(shell: Shell): Promise<boolean> {
  const script = `mkdir -p ${DEVICE_FOLDER}; [ -e ${RECORD} ] && echo left || { { ${LISTING}; } >${RECORD}.new && mv ${RECORD}.new ${RECORD}; }`;
  return (await shell.script([script], PATIENCE)) === 'left';
}

/**
 * Removes what came to the device since its baseline was noted, stops the app and shows the home screen; the next
 * session notes another baseline. @throws ShellError if the device does not do it
 */
export async function clean(shell: Shell, app: string | undefined): Promise<void> {
  const before = parse(await shell.ask(['sh', '-c', `cat ${RECORD} 2>/dev/null || true`], PATIENCE));
  const now = parse(await shell.script([LISTING], PATIENCE));
  const apps = before === null ? [] : (now?.apps ?? []).filter(it => !before.apps.includes(it));
  const files = before === null ? [] : (now?.files ?? []).filter(it => !before.files.includes(it));
  await shell.script(
    [
      ...(app === undefined ? [] : [`am force-stop ${app}`]),
      ...apps.map(it => `pm uninstall ${escapeArg(it)}`),
      ...files.map(it => `rm -rf ${escapeArg(`${DOWNLOADS}/${it}`)}`),
      'wm size reset',
      'wm density reset',
      ...(before?.settings ?? ['settings put system user_rotation 0']),
      'am start -a android.intent.action.MAIN -c android.intent.category.HOME',
      `rm -rf ${DEVICE_FOLDER}`,
    ],
    PATIENCE,
  );
}

/** Null: there is none. */
function parse(text: string): Baseline | null {
  if (!text.startsWith(HEADER)) return null;
  const of = (kind: string) =>
    text.split('\n').flatMap(line => (line.startsWith(`${kind} `) ? [line.slice(kind.length + 1).trimEnd()] : []));
  return { apps: of('app'), files: of('file'), settings: of('setting').flatMap(restoring) };
}

/** The command for a line of the note, such as `system user_rotation 0`. A setting that there was not is `null`. */
function restoring(line: string): string[] {
  const name = SETTINGS.find(it => line.startsWith(`${it} `));
  const value = line.slice((name?.length ?? 0) + 1);
  if (name === undefined || !/^(-?\d{1,10}|null)$/.test(value)) return [];
  return [value === 'null' ? `settings delete ${name}` : `settings put ${name} ${value}`];
}
