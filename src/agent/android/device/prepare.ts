import type { DisplayOptions } from '../../../protocol/generated/schemas.js';
import type { Shell } from '../adb/shell.js';

/** On while any power is connected, which is where devices of sessions are. */
const STAY_ON = '7';

/** Makes a device ready for a session: size and density of its screen, which stays on, and the right way up. */
export async function prepare(shell: Shell, display: DisplayOptions, density: number): Promise<void> {
  await shell.ask(['wm', 'size', `${display.width}x${display.height}`]);
  await shell.ask(['wm', 'density', String(density)]);
  await shell.ask(['settings', 'put', 'global', 'stay_on_while_plugged_in', STAY_ON]);
  await shell.ask(['settings', 'put', 'system', 'accelerometer_rotation', '0']);
  await shell.ask(['settings', 'put', 'system', 'user_rotation', '0']);
  await shell.ask(['input', 'keyevent', 'KEYCODE_WAKEUP']);
  await shell.ask(['wm', 'dismiss-keyguard']);
}
