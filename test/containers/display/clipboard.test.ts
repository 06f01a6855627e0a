// tags: containers
import { createHash, randomBytes } from 'node:crypto';
import t from 'tap';
import { encodeContent } from '../../../src/protocol/clipboard.js';
import { fromHelper } from '../../../src/protocol/display-helper.js';
import { MessageType } from '../../../src/protocol/message-type.js';
import { pngOf } from '../../fixtures/media/png.js';
import { until } from '../../fixtures/until.js';
import { Desktop } from './desktop.js';
import { Helper } from './helper.js';

const LARGE = `${'Zoë und 漢字, 😀. '.repeat(15_000)}end`;

const desktop = await Desktop.start(t);
const helper = await Helper.start(t, desktop);
const copied = () => helper.all(MessageType.clipboard).map(body => body.toString('utf8', 1));
const rich = () => helper.all(MessageType.copied);
const paste = () => desktop.run('xclip -selection clipboard -o');

t.test('text copied inside is sent, once', async t => {
  await desktop.run('printf "grüß 😀" | xclip -selection clipboard');
  await until('the text', () => copied().length > 0);
  t.same(copied(), ['grüß 😀']);
});

t.test("a viewer's text can be pasted inside, and is not sent back", async t => {
  const before = copied().length;
  helper.clipboard('né en 1984 €');
  await until('the text', async () => (await paste()) === 'né en 1984 €');
  t.equal(copied().length, before);
});

t.test('an earlier copy that arrives late does not replace a later one', async t => {
  /** Copies a text with a program that is stopped before it can give it to anybody; gives its process ID. */
  const copy = async (text: string) => {
    await desktop.run('pkill -STOP berth-display');
    await desktop.run(`printf ${text} | xclip -selection clipboard`);
    const pid = await desktop.run('pgrep -n xclip');
    await desktop.run(`kill -STOP ${pid}; pkill -CONT berth-display`);
    // It has asked when it has come by what came later.
    for (let i = 0; i < 2; i++) {
      const from = helper.mark;
      helper.setDisplay({ width: 640, height: 480 });
      await until('an answer', () => helper.all(MessageType.display, from).length > 0);
    }
    return pid;
  };
  const before = copied().length;
  const first = await copy('first');
  const last = await copy('last');
  // The first one answers, and ends as it has lost the clipboard.
  await desktop.run(`kill -CONT ${first}; while kill -0 ${first} 2>/dev/null; do sleep 0.02; done; kill -CONT ${last}`);
  await until('the text', () => copied().length > before);
  t.same(copied().slice(before), ['last']);
});

t.test('half a megabyte passes both ways', async t => {
  t.ok(Buffer.byteLength(LARGE) > 300_000);
  helper.clipboard(LARGE);
  await until('the text', async () => (await paste()) === LARGE);
  const before = copied().length;
  await desktop.run('xclip -selection clipboard -o > /tmp/large; xclip -selection clipboard -i /tmp/large');
  await until('the text comes back', () => copied().length > before);
  t.equal(copied().at(-1) === LARGE, true);
});

t.test('a picture and formatted text pass both ways, in increments where they are large', async t => {
  const picture = Buffer.concat([pngOf(2, 2), randomBytes(3 << 20)]);
  helper.send(encodeContent({ text: 'né', html: '<b>né</b>', picture }));
  const read = (type: string) => desktop.run(`xclip -selection clipboard -o -t ${type} | sha256sum | cut -c 1-64`);
  const digest = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex');
  await until('the picture', async () => (await read('image/png')) === digest(picture));
  t.equal(await read('text/html'), digest('<b>né</b>'));
  t.equal(await read('UTF8_STRING'), digest('né'));
  t.same((await desktop.run('xclip -selection clipboard -o -t TARGETS')).split('\n'), [
    ...['TARGETS', 'UTF8_STRING', 'text/plain;charset=utf-8', 'text/plain', 'TEXT', 'STRING', 'text/html', 'image/png'],
  ]);

  await desktop.run(
    'xclip -selection clipboard -o -t image/png > /tmp/a.png; xclip -selection clipboard -t image/png -i /tmp/a.png',
  );
  await until('the picture comes back', () => rich().length === 1);
  t.match(fromHelper.copied.decode(rich()[0]!), { incomplete: false, textSize: 0, htmlSize: 0 });
  t.ok(fromHelper.copied.bodyOf(rich()[0]!).equals(picture));
});

t.test('what is too large is said to be missing, and the next copy is whole', async t => {
  const before = [copied().length, rich().length] as const;
  await desktop.run('head -c 1100000 /dev/zero | tr "\\0" a | xclip -selection clipboard');
  await until('it is said', () => rich().length === before[1] + 1);
  t.match(fromHelper.copied.decode(rich().at(-1)!), { incomplete: true, textSize: 0, htmlSize: 0 });
  await desktop.run('head -c 40000000 /dev/zero | xclip -selection clipboard -t image/png');
  await until('it is said', () => rich().length === before[1] + 2);
  helper.send(Buffer.from([MessageType.clipboard, 0xc3, 0x28]));
  await desktop.run('printf after | xclip -selection clipboard');
  await until('the next text', () => copied().at(-1) === 'after');
  t.equal(copied().length, before[0] + 1);
});
