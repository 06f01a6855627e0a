// tags: containers
import t from 'tap';
import { docker } from '../../fixtures/engines/docker.js';
import { MessageType } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import { Desktop } from './desktop.js';
import { Helper } from './helper.js';

const LARGEST = 4096 * 4096 * 4;
const MIB = 1 << 20;
/** Columns of /proc/sysvipc/shm. */
const [SIZE, RESIDENT] = [3, 14];

const desktop = await Desktop.start(t);

/** Bytes that each shared segment as large as the largest screen takes. */
async function frameBuffers(): Promise<number[]> {
  const lines = (await docker('exec', desktop.name, 'cat', '/proc/sysvipc/shm')).split('\n').slice(1);
  const segments = lines.map(line => line.trim().split(/\s+/).map(Number));
  return segments.filter(columns => (columns[SIZE] ?? 0) >= LARGEST).map(columns => columns[RESIDENT] ?? NaN);
}

/** Changes the screen's size, then its memory. */
async function memoryAt(helper: Helper, width: number, height: number): Promise<number> {
  const before = helper.mark;
  helper.setDisplay({ width, height });
  await until('the size is in force', () => helper.all(MessageType.display, before).length > 0);
  return (await frameBuffers())[0] ?? NaN;
}

t.test('a screen on which nothing was drawn yet takes no memory', async t => {
  const [size = NaN] = await frameBuffers();
  t.ok(size < MIB, `${size} bytes`);
});

t.test("the X server's frame buffer takes no more memory than the screen", async t => {
  const helper = await Helper.start(t, desktop);
  t.equal((await frameBuffers()).length, 1);
  // Rows of pixels begin and end within pages.
  t.ok((await memoryAt(helper, 640, 480)) <= 480 * 4 * 4096);
  t.ok((await memoryAt(helper, 1920, 1080)) <= 1080 * 4 * 4096);
  t.ok((await memoryAt(helper, 640, 480)) <= 480 * 4 * 4096, 'also after a larger one');
  t.ok((await memoryAt(helper, 640, 480)) > MIB / 2, 'what it shows stays');
});

t.test('a frame buffer that is not shared is copied', async t => {
  await desktop.launch('Xvfb', ':1', '-screen', '0', '640x480x24', '-nolisten', 'tcp');
  await until('it is up', async () => (await desktop.try('xset -display :1 q')).status === 0);
  const helper = await Helper.start(t, desktop, ':1');
  await until('it says so', () => helper.log.includes('the frame buffer is not shared'));
  helper.stream(true, false);
  await helper.still();
  const before = helper.mark;
  await desktop.run('xsetroot -display :1 -solid white');
  const frame = await until('a frame', () => helper.frames(before)[0]);
  t.equal(frame.key, false);
});

t.test('a killed X server leaves no frame buffer behind', async t => {
  await memoryAt(await Helper.start(t, desktop), 800, 600);
  await docker('exec', desktop.name, 'pkill', '-9', 'Xvfb');
  await until('it is gone', async () => (await frameBuffers()).length === 0);
});
