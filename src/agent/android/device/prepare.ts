import type { DisplayOptions } from '../../../protocol/generated/schemas.js';
import type { Shell } from '../../../adb/shell.js';

/** Milliseconds that a device may take. */
const PATIENCE = 30_000;

/**
 * Makes a device ready for a session: size and density of its screen, which stays on, and the right way up.
 * @returns the commands that failed: devices differ in what they have, and show a picture without, too
 */
export async function prepare(shell: Shell, { width, height }: DisplayOptions, density: number): Promise<string[]> {
  const commands = [
    `wm size ${width}x${height}`,
    `wm density ${density}`,
    // With any power connected, as it is on devices of sessions.
    'settings put global stay_on_while_plugged_in 7',
    'settings put system accelerometer_rotation 0',
    'settings put system user_rotation 0',
    'input keyevent KEYCODE_WAKEUP',
    'wm dismiss-keyguard',
  ];
  const script = commands.map(it => `${it} >/dev/null 2>&1 || echo '${it}'`).join('; ');
  const failed = await shell.script([script], PATIENCE);
  return failed === '' ? [] : failed.split('\n');
}
