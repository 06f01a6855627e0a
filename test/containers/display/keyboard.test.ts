// tags: containers
import t from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import { Desktop } from './desktop.js';
import { Helper } from './helper.js';

const SHIFT = 0xffe1;
const CONTROL = 0xffe3;
const CAPS_LOCK = 0xffe5;
const ALT_GR = 0xfe03;
const unicode = (character: string) => 0x01000000 | (character.codePointAt(0) ?? 0);

const desktop = await Desktop.start(t);

/** A terminal that has the focus, and writes each character typed into it to a file. */
async function terminal(helper: Helper): Promise<() => Promise<string>> {
  await desktop.try('pkill xterm; rm -f /tmp/typed');
  // The window manager reads the keyboard anew for every borrowed key, and gets to windows after that.
  const windowless = async () => !(await desktop.run('xprop -root _NET_CLIENT_LIST')).includes('0x');
  await until('no window', windowless);
  await desktop.launch('xterm', '-u8', '-e', 'sh', '-c', 'stty -echo -icanon; cat > /tmp/typed');
  await until('the terminal has the focus', async () => {
    // The one that was there before may still be called the active one.
    const [active, ...windows] =
      (await desktop.run('xprop -root _NET_ACTIVE_WINDOW _NET_CLIENT_LIST')).match(/0x[0-9a-f]+/g) ?? [];
    return active !== undefined && windows.includes(active) && (await desktop.try('test -e /tmp/typed')).status === 0;
  });
  helper.line('.');
  await until('the terminal listens', async () => (await desktop.read('/tmp/typed')) === '.\n');
  return async () => (await desktop.read('/tmp/typed')).slice(2);
}

t.test('keys on the layout, and on no layout at all', async t => {
  const helper = await Helper.sized(t, desktop, { width: 800, height: 600 });
  const typed = await terminal(helper);
  for (const character of 'aZ9') helper.tap(character.charCodeAt(0));
  for (const keysym of [0xe9, 0xdf, 0x20ac, unicode('漢'), unicode('😀'), unicode('ж')]) helper.tap(keysym);
  helper.tap(0xff0d);
  await until('the line', async () => (await typed()) === 'aZ9éß€漢😀ж\n').catch(() => undefined);
  t.equal(await typed(), 'aZ9éß€漢😀ж\n');
});

t.test("a symbol is the symbol, whatever modifiers of the viewer's layout are held with it", async t => {
  const helper = await Helper.sized(t, desktop, { width: 800, height: 600 });
  const typed = await terminal(helper);
  helper.input({ type: 'key', down: true, keysym: SHIFT });
  for (const character of 'A/=') helper.tap(character.charCodeAt(0));
  helper.input({ type: 'key', down: false, keysym: SHIFT });
  helper.input({ type: 'key', down: true, keysym: ALT_GR });
  for (const character of '@{}') helper.tap(character.charCodeAt(0));
  helper.input({ type: 'key', down: false, keysym: ALT_GR });
  helper.tap(CAPS_LOCK);
  for (const character of 'Bc') helper.tap(character.charCodeAt(0));
  helper.tap(0xff0d);
  await until('the line', async () => (await typed()).endsWith('\n'));
  t.equal(await typed(), 'A/=@{}Bc\n');
});

t.test('text is typed in order, even with more characters than there are spare keys', async t => {
  const helper = await Helper.sized(t, desktop, { width: 800, height: 600 });
  const typed = await terminal(helper);
  const text = Array.from({ length: 120 }, (_, i) => String.fromCodePoint(0x4e00 + i * 11)).join('') + ' Zoë, 5 €!';
  helper.line(text);
  await until('the line', async () => (await typed()).endsWith('\n'));
  t.equal(await typed(), `${text}\n`);
});

t.test('text is typed correctly while the viewer still holds a modifier', async t => {
  const helper = await Helper.sized(t, desktop, { width: 800, height: 600 });
  const typed = await terminal(helper);
  helper.input({ type: 'key', down: true, keysym: CONTROL });
  helper.input({ type: 'text', text: 'up\n' });
  helper.input({ type: 'key', down: false, keysym: CONTROL });
  await until('the line', async () => (await typed()).endsWith('\n'));
  t.equal(await typed(), 'up\n');
});

t.test("a held key repeats when it is pressed again; one viewer's release leaves another's keys alone", async t => {
  const helper = await Helper.sized(t, desktop, { width: 800, height: 600 });
  const typed = await terminal(helper);
  helper.input({ type: 'key', down: true, keysym: 0x78 }, 1);
  await until('it is typed', async () => (await typed()) === 'x');
  helper.input({ type: 'key', down: true, keysym: SHIFT }, 2);
  for (const repeated of ['xX', 'xXX']) {
    helper.input({ type: 'key', down: true, keysym: 0x78 }, 1);
    await until('the key repeats', async () => (await typed()) === repeated);
  }
  helper.input({ type: 'release' }, 1);
  helper.tap(0x59);
  helper.input({ type: 'release' }, 0);
  helper.tap(0x79);
  helper.tap(0xff0d);
  await until('the line', async () => (await typed()).endsWith('\n'));
  t.equal(await typed(), 'xXXYy\n');
});

t.test('keys held by a killed helper are released by the next one', async t => {
  const killed = await Helper.sized(t, desktop, { width: 800, height: 600 });
  killed.input({ type: 'key', down: true, keysym: SHIFT });
  killed.input({ type: 'button', button: 0, down: true, x: 0.9, y: 0.9 });
  killed.setDisplay({ width: 640, height: 480 });
  await until('all of it is done', () => killed.all(MessageType.display).at(-1)?.readUInt16LE(1) === 640);
  await desktop.run('pkill -9 berth-display');
  const helper = await Helper.sized(t, desktop, { width: 800, height: 600 });
  const typed = await terminal(helper);
  for (const character of 'ab') helper.tap(character.charCodeAt(0));
  helper.tap(0xff0d);
  await until('the line', async () => (await typed()).endsWith('\n'));
  t.equal(await typed(), 'ab\n');
});

t.test('a window that was there before the window manager has the keys', async t => {
  const helper = await Helper.sized(t, desktop, { width: 800, height: 600 });
  await desktop.run('pkill xterm; pkill -9 openbox; rm -f /tmp/typed; xprop -root -remove _NET_ACTIVE_WINDOW');
  await desktop.launch('xterm', '-title', 'early', '-u8', '-e', 'sh', '-c', 'stty -echo -icanon; cat > /tmp/typed');
  const isThere = async () => (await desktop.try('xwininfo -name early && test -e /tmp/typed')).status === 0;
  await until('its window is there', isThere);
  await desktop.launch('openbox', '--sm-disable', '--config-file', '/etc/berth/openbox.xml');
  const active = () => desktop.run('xprop -root _NET_ACTIVE_WINDOW');
  await until('the window manager has focused it', async () => (await active()).includes('0x'));
  helper.line('here');
  await until('the line', async () => (await desktop.read('/tmp/typed')) === 'here\n');
  t.pass('it is typed there');
});
