/** Options and callbacks of the hosted service's client, by those of the SDK. */
import t from 'tap';
import { sdkCallbacks, sdkOptions, volumeOf } from '../../../src/web/hosted/options.js';
import { checkOptions } from '../../../src/web/sdk/options.js';

t.test('what is left out has the client’s defaults, and all of it is valid for the SDK', async t => {
  const nothing = sdkOptions({}, null);
  checkOptions(nothing);
  t.same(nothing, {
    delegateKeyboard: true,
    disableInput: false,
    persistScreen: false,
    playoutDelay: false,
    videoPaused: false,
    volume: 1,
  });
  const track = () => undefined;
  const given = { adminToken: 'a', webhookUserdata: 'text', videoTrackCb: track, audioTrackCb: track };
  t.match(sdkOptions({ ...given, playoutDelay: true, volume: 7 }, null), { ...given, playoutDelay: true, volume: 1 });
  t.same([0.5, -1, 2, '0.25', Number.NaN, undefined].map(volumeOf), [0.5, 0, 1, 0.25, 0, 0]);
});

t.test('events have the names and shapes that the client’s users know', async t => {
  const told: unknown[] = [];
  const { onDisconnect, onCloseWarning, onCursor, onConnectionStateChange } = sdkCallbacks(
    message => void told.push(message),
  );
  const deadline = { delay: 5, closeDate: '2030-01-01T00:00:00.000Z' };
  onCloseWarning({ type: 'absolute', deadline });
  onCloseWarning(null);
  for (const type of ['kicked', 'crashed', 'failed', 'offline'] as const) onDisconnect({ type });
  onConnectionStateChange({ state: 'playing' });
  const place = { x: 0.5, y: 0.25, clientX: 320, clientY: 100 };
  onCursor({ ...place, userId: 'u' });
  onCursor({ x: null, y: null, clientX: null, clientY: null, userId: 'u' });
  t.same(told, [
    { type: 'close_warning', data: { type: 'absolute', deadline } },
    { type: 'close_warning', data: { type: 'absolute', deadline: undefined } },
    ...['kicked', 'unknown', 'unknown', 'unknown'].map(type => ({ type: 'disconnect', data: { type } })),
    { type: 'connection_state', data: { state: 'playing' } },
    { type: 'peer_mouse', data: { ...place, userId: 'u' } },
  ]);
});
