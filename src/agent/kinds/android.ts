import type { LaunchAndroid } from '../../protocol/generated/schemas.js';
import { androidCalls } from '../android/calls.js';
import { AndroidSession } from '../android/session.js';
import { userData } from '../android/emulator/user-data.js';
import { DeviceScreen } from '../display/device-screen.js';
import type { SessionProgram, SessionProgramOptions } from '../session/session-program.js';
import type { Kind } from './kind.js';

/** An Android device. */
export const android: Kind<LaunchAndroid> = {
  program: (launch, options) => {
    const { screen } = options;
    return screen instanceof DeviceScreen ? new AndroidSession(launch, options, screen) : noDevice(options);
  },
  withoutSecrets: launch => launch,
};

/** Says that the image has a desktop, on which no device is shown. */
const noDevice = ({ unplayable }: SessionProgramOptions): SessionProgram => ({
  content: userData,
  current: [],
  calls: androidCalls({
    device: () => undefined,
    control: () => undefined,
    moveTo: undefined,
    upload: () => undefined,
  }),
  start: () => unplayable('This image runs no Android devices.'),
  stop: async () => undefined,
  finish: async () => undefined,
});
