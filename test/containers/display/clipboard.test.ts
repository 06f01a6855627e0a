// tags: containers
import t from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import { Desktop } from './desktop.js';
import { Helper } from './helper.js';

const LARGE = `${'Zoë und 漢字, 😀. '.repeat(15_000)}end`;

const desktop = await Desktop.start(t);
const helper = await Helper.start(t, desktop);
const copied = () => helper.all(MessageType.clipboard).map(body => body.toString('utf8', 1));
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

t.test('more than a mebibyte is ignored, and so is anything but text', async t => {
  const before = copied().length;
  await desktop.run('head -c 1100000 /dev/zero | tr "\\0" a | xclip -selection clipboard');
  helper.send(Buffer.from([MessageType.clipboard, 0xc3, 0x28]));
  await desktop.run('printf after | xclip -selection clipboard');
  await until('the next text', () => copied().at(-1) === 'after');
  t.equal(copied().length, before + 1);
});
