import type { DisplayOptions } from '../../../protocol/generated/schemas.js';
import type { Shell } from '../adb/shell.js';

/** Milliseconds that a device may take. */
const PATIENCE = 30_000;

/** Makes a device ready for a session: size and density of its screen, which stays on, and the right way up. */
export async function prepare(shell: Shell, { width, height }: DisplayOptions, density: number): Promise<void> {
  await shell.script(
    [
      `wm size ${width}x${height}`,
      `wm density ${density}`,
      // With any power connected, as it is on devices of sessions.
      'settings put global stay_on_while_plugged_in 7',
      'settings put system accelerometer_rotation 0',
      'settings put system user_rotation 0',
      'input keyevent KEYCODE_WAKEUP',
      'wm dismiss-keyguard',
    ],
    PATIENCE,
  );
}
