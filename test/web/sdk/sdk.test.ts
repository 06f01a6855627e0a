import t from 'tap';
import { parseEmbedUrl } from '../../../src/web/sdk/connection/address.js';
import { backoff } from '../../../src/web/sdk/connection/backoff.js';
import { endingOfAnswer, endingOfClose } from '../../../src/web/sdk/connection/close-reason.js';
import {
  encodeAck,
  encodeClipboard,
  parseCursor,
  parseText,
  parseVideo,
} from '../../../src/protocol/viewer-messages.js';
import { checkOptions, playoutDelayMs } from '../../../src/web/sdk/options.js';
import { inputOfEvent, SentInput } from '../../../src/web/sdk/input/send-event.js';
import { connectionState, statusText, type SessionStatus } from '../../../src/web/sdk/connection/status.js';
import { de } from '../../../src/web/languages/tables/de.js';
import { ENGLISH_TEXTS, Texts } from '../../../src/web/languages/texts.js';
import { limitation } from '../../../src/web/media/support.js';
import { warningText } from '../../../src/web/player/page/warning.js';
import { qualityText } from '../../../src/web/player/page/bar.js';
import { cursorMessage, videoMessage } from '../../fixtures/media/recorded-stream.js';

t.test('a session’s addresses keep its token and the service’s path', async t => {
  t.same(parseEmbedUrl('https://example.test/berth/s/abc?token=t#fit=resize'), {
    stream: 'wss://example.test/berth/s/abc/stream?token=t&v=3',
    status: 'https://example.test/berth/s/abc/status?token=t',
    base: 'https://example.test/berth/s/abc',
    service: 'https://example.test/berth',
  });
  for (const wrong of [undefined, '', 'nonsense', 'ftp://example.test/s/abc', 5]) {
    t.throws(() => parseEmbedUrl(wrong), TypeError);
  }
});

t.test('a disconnected viewer reconnects soon, without hammering a service that stays down', async t => {
  const firstSeconds = [0, 1, 2, 3].map(attempt => backoff(attempt, 1));
  t.ok(firstSeconds.reduce((sum, wait) => sum + wait) < 2000, 'four tries in two seconds');
  t.ok(Math.max(...[4, 5, 6, 7, 8, 9].map(attempt => backoff(attempt, 1))) < 650, 'often while it may be replaced');
  t.ok(backoff(10, 1) < 1500);
  t.ok(backoff(100, 0) >= 4000);
});

t.test('close codes and answers say whether to reconnect', async t => {
  t.same([1001, 1006, 1012, 1011, 4003].map(endingOfClose), [null, null, null, null, null]);
  t.same(
    [4000, 4001, 4002, 4401].map(code => endingOfClose(code)?.type),
    ['request', 'kicked', 'failed', 'unauthorized'],
  );
  const typeOf = async (status: number, body?: object) =>
    (await endingOfAnswer(new Response(JSON.stringify(body), { status })))?.type;
  t.same(await Promise.all([200, 429, 500, 503].map(status => typeOf(status))), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  t.same(await Promise.all([401, 404, 409].map(status => typeOf(status))), ['unauthorized', 'request', 'request']);
  t.same(await typeOf(409, { code: 'session_ended', termination_reason: 'inactive' }), 'inactive');
  t.same(await typeOf(409, { termination_reason: 'toString' }), 'request');
});

t.test('messages of the wrong length are refused', async t => {
  t.match(parseVideo(videoMessage(7, 5, true, Uint8Array.of(1))), { key: true, frame: 7, time: 5 });
  t.equal(parseVideo(Uint8Array.of(1, 2, 3)), null);
  t.match(parseCursor(cursorMessage(2, [1, 2, 3, 4])), { visible: true, width: 2, height: 2 });
  t.equal(parseCursor(cursorMessage(2, [1, 2, 3, 4]).subarray(0, 20)), null);
  t.equal(parseText('{"type":"surprise"}'), null);
  t.equal(parseText('{'), null);
  t.equal(parseText('null'), null);
  t.same([...encodeAck(258)], [0x20, 2, 1, 0, 0]);
  t.same([...encodeClipboard('ä')], [9, 0xc3, 0xa4]);
});

t.test('invalid options are named', async t => {
  t.doesNotThrow(() =>
    checkOptions({ volume: 0.5, adminToken: undefined, webhookUserdata: {}, onDisconnect: () => {} }),
  );
  for (const [name, value] of Object.entries({
    volume: 2,
    timeout: 0,
    adminToken: 1,
    videoPaused: 'no',
    webhookUserdata: () => {},
    persistScreen: 'yes',
    onDisconnect: {},
    playoutDelay: -1,
    frameCb: true,
    videoTrackCb: {},
    audioTrackCb: 'no',
    onError: 'no',
    onResize: 'no',
    onCursor: 1,
    showCursors: 0,
  })) {
    t.throws(() => checkOptions({ [name]: value }), { name: 'TypeError', message: new RegExp(`^${name} must`) });
  }
  t.throws(() => checkOptions(null), TypeError);
  const nothing = () => {};
  t.throws(() => checkOptions({ frameCb: nothing, videoTrackCb: nothing }), { message: /excludes/ });
  for (const webhookUserdata of [[1], 'text', 0, null, {}]) t.doesNotThrow(() => checkOptions({ webhookUserdata }));
  t.same([true, false, 70].map(playoutDelayMs), [200, 0, 70]);
});

t.test('pages can send events of their own', async t => {
  t.same(inputOfEvent({ type: 'keydown', key: 'Enter' }), { type: 'key', down: true, keysym: 0xff0d });
  t.same(inputOfEvent({ type: 'mouseup', x: 0.5, y: 1, button: 2 }), {
    type: 'button',
    button: 2,
    down: false,
    x: 0.5,
    y: 1,
  });
  t.same(inputOfEvent({ type: 'wheel', deltaY: 9 }), { type: 'wheel', dx: 0, dy: 9, x: 0.5, y: 0.5 });
  const wrong = [
    null,
    {},
    { type: 'click' },
    { type: 'mousemove', x: 2, y: 0 },
    { type: 'keydown', key: 'Nonsense' },
    { type: 'mousedown', x: 0, y: 0, button: 7 },
    { type: 'wheel', deltaX: NaN },
  ];
  for (const event of wrong) t.throws(() => inputOfEvent(event), TypeError);
});

t.test('modifiers of events are pressed for their key, unless the page holds them itself', async t => {
  const sent = new SentInput();
  const keys = (...events: object[]) =>
    events
      .flatMap(event => sent.inputsOf(event))
      .map(input => (input.type === 'key' ? `${input.down ? '+' : '-'}${input.keysym.toString(16)}` : input.type));
  const [down, up] = [
    (key: string, held: object = {}) => ({ type: 'keydown', key, ...held }),
    (key: string, held: object = {}) => ({ type: 'keyup', key, ...held }),
  ];
  const ctrl = { ctrlKey: true };
  t.same(keys(down('c', ctrl), up('c', ctrl)), ['+ffe3', '+63', '-63', '-ffe3']);
  t.same(keys(down('c', { metaKey: true }), up('c')), ['+ffe3', '+63', '-63', '-ffe3'], 'Cmd is Ctrl');
  t.same(keys(down('Tab', { shiftKey: true, altKey: true }), up('Tab')), [
    ...['+ffe1', '+ffe9', '+ff09', '-ff09', '-ffe9', '-ffe1'],
  ]);
  t.same(keys(down('Control'), down('a', ctrl), up('a', ctrl), up('Control')), ['+ffe3', '+61', '-61', '-ffe3']);
  t.same(keys(down('a', ctrl), down('a', ctrl), up('a')), ['+ffe3', '+61', '+61', '-61', '-ffe3'], 'a key repeats');
  t.same(keys(down('a', ctrl), down('b'), up('a'), up('b')), ['+ffe3', '+61', '-ffe3', '+62', '-61', '-62']);
  t.same(keys(down('a', ctrl), down('Control'), up('a'), up('Control')), [
    ...['+ffe3', '+61', '-ffe3', '+ffe3', '-61', '-ffe3'],
  ]);
  t.same(keys(down('d'), up('d'), { type: 'wheel', deltaY: 1 }), ['+64', '-64', 'wheel']);
});

t.test('every state but playing has a text', async t => {
  const all: SessionStatus[] = [
    { type: 'connecting' },
    { type: 'starting' },
    { type: 'reconnecting' },
    { type: 'restarting', message: 'The browser is starting again.' },
    { type: 'unplayable', sentence: () => 'No.' },
    { type: 'ended', ending: { type: 'inactive', sentence: () => 'Over.' } },
  ];
  t.same(
    all.map(status => statusText(status, true)?.sentence(ENGLISH_TEXTS)),
    ['Connecting…', 'Starting…', 'Reconnecting…', 'The browser is starting again.', 'No.', 'Over.'],
  );
  t.equal(statusText({ type: 'playing' }, false), null);
  t.match(statusText({ type: 'playing' }, true), { look: 'private' }, 'while somebody else has it in private');
  t.same(all.map(connectionState), ['connecting', 'connecting', 'reconnecting', 'playing', 'failed', 'failed']);
});

t.test('what a session waits for is said in the language of the viewer', async t => {
  const german = new Texts('de', de);
  const said = (status: Partial<Extract<SessionStatus, { type: 'starting' }>>) => {
    const shown = statusText({ type: 'starting', message: 'In English.', ...status }, false);
    return shown?.sentence(german).replaceAll('\u00a0', ' ');
  };
  const loading = (sentence: string, progress: string) => sentence.replace('{progress}', progress);
  t.equal(said({ step: 'game_load', loaded: { received: 50, total: 100 } }), loading(de.step_game_load, '50 %'));
  t.equal(said({ step: 'app_load', loaded: { received: 1_540_000 } }), loading(de.step_app_load, '1,5 MB'));
  t.equal(said({ step: 'game' }), de.step_game);
  t.equal(said({ step: 'boot' }), de.step_boot);
  t.equal(said({}), 'In English.', 'what has no name');
});

t.test('the page says what is missing and how to fix it', async t => {
  t.equal(limitation({ choices: ['webcodecs', 'mse'], chroma444: true }, true), null);
  t.equal(limitation({ choices: ['mse'], chroma444: false }, false), 'unencrypted');
  t.equal(limitation({ choices: [], chroma444: false }, false), 'videoNeedsHttps');
  t.equal(limitation({ choices: [], chroma444: false }, true), 'videoUnsupported');
  t.equal(warningText('inactive', 45), 'This session ends in 45 s because nobody is using it.');
  t.equal(warningText('absolute', 61), 'This session ends in 1:01 min because its time is up.');
  t.equal(qualityText(12.4), 'Connection: good, 12 ms');
});
