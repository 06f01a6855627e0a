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

t.test('what is copied inside is sent, once', async t => {
  await desktop.run('printf "grüß 😀" | xclip -selection clipboard');
  await until('the text', () => copied().length > 0);
  t.same(copied(), ['grüß 😀']);
});

t.test('what a viewer copied is pasted inside, and not sent back', async t => {
  const before = copied().length;
  helper.clipboard('né en 1984 €');
  await until('the text', async () => (await paste()) === 'né en 1984 €');
  t.equal(copied().length, before);
});

t.test('half a megabyte goes both ways', async t => {
  t.ok(Buffer.byteLength(LARGE) > 300_000);
  helper.clipboard(LARGE);
  await until('the text', async () => (await paste()) === LARGE, 15_000);
  const before = copied().length;
  await desktop.run('xclip -selection clipboard -o > /tmp/large; xclip -selection clipboard -i /tmp/large');
  await until('the text comes back', () => copied().length > before, 15_000);
  t.equal(copied().at(-1) === LARGE, true);
});

t.test('more than a mebibyte is left alone, and so is what is no text', async t => {
  const before = copied().length;
  await desktop.run('head -c 1100000 /dev/zero | tr "\\0" a | xclip -selection clipboard');
  helper.send(Buffer.from([MessageType.clipboard, 0xc3, 0x28]));
  await desktop.run('printf after | xclip -selection clipboard');
  await until('the next text', () => copied().at(-1) === 'after');
  t.equal(copied().length, before + 1);
});
