import type { StartAndroid } from '../../../../protocol/generated/schemas.js';
import { romRefusal } from '../../../games/index.js';
import { androidProblems, androidSpec, HttpError } from '../../../model/index.js';
import type { Problem } from '../../../../protocol/validation.js';
import { jsonBody } from '../../table/body.js';
import { operation } from '../../table/operation.js';
import { answerStart, start } from './common.js';
import { checkWebhooks } from './webhook-addresses.js';

const body = jsonBody<StartAndroid>('start-android.json', {
  required: false,
  example: { app_id: 'com.example.app', locale: { language: 'de', country: 'AT' } },
  more: androidProblems,
});

/** Starting Android devices. */
export const androidStarts = [
  operation({
    ...start(['apk_refused', 'profile_unsupported', 'profile_wrong_device']),
    path: '/v0/android',
    id: 'startAndroid',
    summary: 'Start an Android device',
    description:
      'Answers when the session runs; the device boots afterwards, which viewers see the progress of. An empty body, or none, is valid: the home screen is shown.',
    body,
    handle:
      parts =>
      async ({ body, ...exchange }) => {
        const { sessions, roms, android, outbound, webhooks } = parts;
        await checkWebhooks(body, webhooks);
        const { devices, deadlines, emulator } = android;
        const hasProfile = body.profile !== undefined && body.profile !== false;
        if (hasProfile && devices.type === 'adb')
          throw refused('profile_unsupported', { path: '/profile', message: 'is for emulators only' });
        const spec = androidSpec(body, deadlines, emulator);
        const reason = spec.rom === null ? null : await outbound.refusal(spec.rom, roms.allowPrivate);
        if (reason !== null) throw refused('apk_refused', { path: '/apk_url', message: romRefusal(reason, 'app') });
        answerStart(await sessions.start(spec), parts, exchange);
      },
  }),
];

const refused = (code: 'apk_refused' | 'profile_unsupported', problem: Problem) =>
  new HttpError(code, { details: [problem] });
