// tags: containers, alone
import { OpusDecoder } from 'opus-decoder';
import t from 'tap';
import { setTimeout as wait } from 'node:timers/promises';
import { MessageType } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import { Desktop } from './desktop.js';
import { Helper } from './helper.js';

const TONE_HZ = 1000;
const RATE = 48_000;

const desktop = await Desktop.start(t);
const helper = await Helper.start(t, desktop);
const packets = (since = 0) => helper.all(MessageType.audio, since);
const play = `node -e '
  const samples = new Int16Array(${RATE} * 2);
  for (let i = 0; i < ${RATE}; i++) samples[2 * i] = samples[2 * i + 1] = 16000 * Math.sin(i * ${TONE_HZ} * 2 * Math.PI / ${RATE});
  process.stdout.write(new Uint8Array(samples.buffer));
' | pacat --raw --format=s16le --rate=${RATE} --channels=2 --playback`;

/** A fifth of a second for a program that plays with little delay, as games do. */
const SHORT_MS = 200;
const playShort = `head -c $((${RATE} * 4 * ${SHORT_MS} / 1000)) /dev/zero |
  pacat --raw --format=s16le --rate=${RATE} --channels=2 --playback --latency=$((${RATE} * 4 * 32 / 1000))`;
/** What a busy machine may take longer, of the two seconds that PulseAudio took. */
const SLACK_MS = 1000;

/** Waits until the helper listens. */
const recorded = () =>
  until('it is recorded', async () => {
    const { status, output } = await desktop.try('pactl list short source-outputs');
    return status === 0 && output !== '';
  });

t.test('neither silence nor sound that nobody listens to is sent', async t => {
  await desktop.run(play);
  t.equal(packets().length, 0, 'nobody listens');
  helper.stream(false, true);
  await recorded();
  await wait(1000);
  t.equal(packets().length, 0, 'there is nothing to hear');
});

t.test('the first sound after a silence is taken at once', async t => {
  helper.stream(false, false);
  await until('PulseAudio rests', async () => (await desktop.run('pactl list short sinks')).includes('SUSPENDED'));
  const since = performance.now();
  await desktop.run(playShort);
  const taken = performance.now() - since;
  t.ok(taken < SHORT_MS + SLACK_MS, `it took ${Math.round(taken)} ms`);
  helper.stream(false, true);
  await recorded();
});

t.test('a tone is sent as Opus packets of 10 ms, and ends in silence', async t => {
  await desktop.run(play);
  await helper.quiet(500);
  const sent = packets();
  t.ok(sent.length >= 95 && sent.length <= 160, `${sent.length} packets for one second`);
  t.same(
    sent.map(body => body.readUInt32LE(2)),
    sent.map((_, i) => i + 1),
    'numbered without a gap',
  );
  t.ok(Math.abs(frequency(await decode(sent)) - TONE_HZ) < 20, 'and the tone it was');
});

t.test('a restarted PulseAudio server is found', async () => {
  const before = helper.mark;
  await desktop.run('pkill -9 pulseaudio');
  await desktop.launch(
    'pulseaudio',
    '--daemonize=no',
    '--exit-idle-time=-1',
    '--disallow-exit',
    '-n',
    '-F',
    '/etc/berth/pulse.pa',
  );
  await until('it is back', async () => (await desktop.try('pactl info')).status === 0);
  await recorded();
  await desktop.run(play);
  await until('sound', () => packets(before).length > 50);
});

/** Left channel of the packets. */
async function decode(sent: Buffer[]): Promise<Float32Array> {
  const decoder = new OpusDecoder({ sampleRate: RATE, channels: 2 });
  await decoder.ready;
  const { channelData } = decoder.decodeFrames(sent.map(body => body.subarray(14)));
  decoder.free();
  return channelData[0] ?? new Float32Array();
}

/** Rising crossings of zero a second in the middle of the samples. */
function frequency(samples: Float32Array): number {
  const middle = samples.subarray(RATE / 4, (RATE * 3) / 4);
  let rises = 0;
  for (let i = 1; i < middle.length; i++) if ((middle[i - 1] ?? 0) < 0 && (middle[i] ?? 0) >= 0) rises++;
  return (rises * RATE) / middle.length;
}
