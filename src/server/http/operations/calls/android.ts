import { json } from '../../table/description.js';
import { AGENT_ERRORS } from '../common.js';
import { call } from './call.js';

const NOTHING = json('Done.', { type: 'object' }, {});
const ERRORS = ['not_an_android', 'not_supported', 'too_many_calls', ...AGENT_ERRORS] as const;

/** Android devices. */
export const androidCalls = [
  call({
    method: 'android.key',
    id: 'pressAndroidKey',
    summary: 'Press a key of the device',
    description: 'Such as back, home, recents, power or the volume; the key is let go at once.',
    args: 'android_key',
    example: ['back'],
    answer: NOTHING,
    errors: ERRORS,
  }),
  call({
    method: 'android.rotate',
    id: 'rotateAndroid',
    summary: 'Turn the device',
    description: 'Without a way up, by a quarter; `auto` leaves it to the apps.',
    args: 'android_rotate',
    example: ['landscape'],
    answer: NOTHING,
    errors: ERRORS,
  }),
  call({
    method: 'android.open',
    id: 'openAndroidApp',
    summary: 'Open an app or an address',
    description: 'An app by its ID, or what the device opens for an address with http, https or market.',
    args: 'android_open',
    example: ['com.example.app'],
    answer: NOTHING,
    errors: ['app_not_available', ...ERRORS],
  }),
  call({
    method: 'android.install',
    id: 'installAndroidApp',
    summary: 'Install an app',
    description: 'The file, an `.apk`, is uploaded first.',
    args: 'android_install',
    example: ['kx1M3q8cJ6Zp0aVt'],
    answer: json(
      'The app was installed.',
      { type: 'object', required: ['app_id'], properties: { app_id: { type: 'string' } } },
      { app_id: 'com.example.app' },
    ),
    errors: ['apk_invalid', 'install_failed', 'upload_not_found', ...ERRORS],
  }),
  call({
    method: 'android.location',
    id: 'setAndroidLocation',
    summary: 'Set where the device is',
    description: 'Latitude and longitude in degrees and, if you like, metres above the sea. Emulators only.',
    args: 'android_location',
    example: [48.8584, 2.2945],
    answer: NOTHING,
    errors: ERRORS,
  }),
  call({
    method: 'android.logs',
    id: 'readAndroidLogs',
    summary: "Read the device's log",
    description: 'The last lines of logcat, 500 unless another number is given.',
    args: 'android_logs',
    example: [100],
    answer: json('The lines.', { type: 'string' }, '11-22 10:15:01.123  1000  1000 I ActivityManager: Start proc'),
    errors: ERRORS,
  }),
];
