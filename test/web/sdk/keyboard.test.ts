import t from 'tap';
import { KeyTranslator, platformOf, type KeyInput, type Platform } from '../../../src/web/sdk/input/key-translator.js';
import { keysymOf } from '../../../src/web/controls/keysyms.js';
import { isPasteShortcut } from '../../../src/web/sdk/input/paste.js';
import { splitText, textChange } from '../../../src/web/sdk/input/text-diff.js';

const key = (name: string, code: string, held: Partial<KeyInput> = {}): KeyInput => ({
  key: name,
  code,
  location: 0,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  metaKey: false,
  altGraphKey: false,
  timeStamp: 0,
  ...held,
});

/** What the session gets, as `+keysym` and `-keysym`. */
function typed(platform: Platform, ...steps: (['down', KeyInput] | ['up', KeyInput])[]): string[] {
  const translator = new KeyTranslator(platform);
  return steps.flatMap(([step, input]) =>
    translator[step](input).map(event => `${event.down ? '+' : '-'}${event.keysym.toString(16)}`),
  );
}

t.test('keys have the keysyms of X11', async t => {
  t.equal(keysymOf('a', 0), 0x61);
  t.equal(keysymOf('ä', 0), 0xe4, 'Latin-1 is itself');
  t.equal(keysymOf('€', 0), 0x010020ac, 'other characters are Unicode keysyms');
  t.equal(keysymOf('😀', 0), 0x0101f600);
  t.equal(keysymOf('F12', 0), 0xffc9);
  t.equal(keysymOf('Shift', 1), 0xffe1);
  t.equal(keysymOf('Shift', 2), 0xffe2);
  t.equal(keysymOf('5', 3), 0xffb5, 'keypad');
  t.equal(keysymOf('Enter', 3), 0xff8d);
  t.equal(keysymOf('AudioVolumeUp', 0), 0x1008ff13);
  t.equal(keysymOf('AltGraph', 2), 0xfe03);
  for (const name of ['Dead', 'CapsLock', 'Unidentified', 'toString', '']) t.equal(keysymOf(name, 0), null);
});

t.test('a key is released with the keysym it was pressed with, whatever Shift does meanwhile', async t => {
  const shift = key('Shift', 'ShiftLeft', { location: 1, shiftKey: true });
  const upper = key('A', 'KeyA', { shiftKey: true });
  t.same(typed('other', ['down', shift], ['down', upper], ['up', shift], ['up', key('a', 'KeyA')]), [
    '+ffe1',
    '+41',
    '-ffe1',
    '-41',
  ]);
});

t.test('a key has its place, however its layout calls it', async t => {
  const translator = new KeyTranslator('other');
  const places = (...inputs: KeyInput[]) => inputs.flatMap(input => translator.down(input).map(({ code }) => code));
  t.same(places(key('a', 'KeyQ'), key('ж', 'Semicolon'), key('Enter', 'NumpadEnter', { location: 3 })), [24, 47, 104]);
  t.same(places(key('q', ''), key('AudioVolumeUp', 'AudioVolumeUp')), [undefined, undefined], 'where it is known');
  t.same(translator.up(key('A', 'KeyQ')), [{ type: 'key', down: false, keysym: 0x61, code: 24 }]);
});

t.test('a held key repeats, and a release without a press is ignored', async t => {
  t.same(typed('other', ['down', key('a', 'KeyA')], ['down', key('a', 'KeyA')], ['up', key('a', 'KeyA')]), [
    '+61',
    '+61',
    '-61',
  ]);
  t.same(typed('other', ['up', key('Tab', 'Tab')]), []);
});

t.test('a modifier whose release was never seen is released at the next key', async t => {
  const control = key('Control', 'ControlLeft', { location: 1, ctrlKey: true });
  t.same(typed('other', ['down', control], ['down', key('a', 'KeyA')]), ['+ffe3', '-ffe3', '+61']);
});

t.test('on Windows, the Ctrl that comes with AltGr is ignored', async t => {
  const control = key('Control', 'ControlLeft', { location: 1, ctrlKey: true, timeStamp: 10 });
  const held = { ctrlKey: true, altKey: true, altGraphKey: true };
  const altGraph = key('AltGraph', 'AltRight', { ...held, location: 2, timeStamp: 11 });
  const at = key('@', 'KeyQ', { ...held, timeStamp: 90 });
  t.same(
    typed(
      'windows',
      ['down', control],
      ['down', altGraph],
      ['down', at],
      ['up', at],
      ['up', altGraph],
      ['up', control],
    ),
    ['+fe03', '+40', '-40', '-fe03'],
  );
  const c = key('c', 'KeyC', { ctrlKey: true, timeStamp: 90 });
  t.same(typed('windows', ['down', control], ['down', c]), ['+ffe3', '+63'], 'a Ctrl that was pressed is sent');
});

t.test(
  'Cmd is Ctrl, and keys pressed with it are released at once, since macOS never reports their release',
  async t => {
    const command = key('Meta', 'MetaLeft', { location: 1, metaKey: true });
    const c = key('c', 'KeyC', { metaKey: true });
    t.same(typed('mac', ['down', command], ['down', c], ['up', key('Meta', 'MetaLeft')]), [
      '+ffe3',
      '+63',
      '-63',
      '-ffe3',
    ]);
  },
);

t.test('Option produces characters, and is sent only with keys that produce none', async t => {
  const option = key('Alt', 'AltLeft', { location: 1, altKey: true });
  t.same(typed('mac', ['down', option], ['down', key('@', 'KeyL', { altKey: true })]), ['+40']);
  const letGo = key('Alt', 'AltLeft', { location: 1 });
  t.same(typed('mac', ['down', option], ['down', key('F5', 'F5', { altKey: true })], ['up', letGo]), [
    '+ffe9',
    '+ffc2',
    '-ffe9',
  ]);
});

t.test('on a Mac, Option edits by the word', async t => {
  const held = { altKey: true };
  const option = key('Alt', 'AltLeft', { location: 1, altKey: true });
  const left = key('ArrowLeft', 'ArrowLeft', held);
  t.same(
    typed(
      'mac',
      ['down', option],
      ['down', left],
      ['down', left],
      ['up', left],
      ['down', key('Backspace', 'Backspace', held)],
      ['up', key('Backspace', 'Backspace', held)],
      ['down', key('@', 'KeyL', held)],
    ),
    ['+ffe3', '+ff51', '+ff51', '-ff51', '+ff08', '-ff08', '-ffe3', '+40'],
    'with Ctrl, which is let go of with characters',
  );
});

t.test('on a Mac, Cmd edits by the line and the document', async t => {
  const command = key('Meta', 'MetaLeft', { location: 1, metaKey: true });
  const edit = (name: string) =>
    typed('mac', ['down', command], ['down', key(name, name, { metaKey: true })]).join(' ');
  t.equal(edit('ArrowLeft'), '+ffe3 -ffe3 +ff50 -ff50 +ffe3', 'Home, without the Ctrl that Cmd is');
  t.equal(edit('ArrowRight'), '+ffe3 -ffe3 +ff57 -ff57 +ffe3');
  t.equal(edit('ArrowUp'), '+ffe3 +ff50 -ff50', 'Ctrl and Home');
  t.equal(edit('ArrowDown'), '+ffe3 +ff57 -ff57');
  t.equal(edit('Backspace'), '+ffe3 -ffe3 +ffe1 +ff50 -ff50 -ffe1 +ff08 -ff08 +ffe3', 'what is before it in the line');
  t.equal(edit('Delete'), '+ffe3 -ffe3 +ffe1 +ff57 -ff57 -ffe1 +ffff -ffff +ffe3', 'what is behind it');
  t.equal(edit('Enter'), '+ffe3 +ff0d -ff0d', 'other keys have Ctrl');
  t.same(
    typed('other', ['down', key('ArrowLeft', 'ArrowLeft', { metaKey: true })]),
    ['+ff51'],
    'elsewhere it does not',
  );
});

t.test('shortcuts work on layouts without Latin letters', async t => {
  const control = key('Control', 'ControlLeft', { location: 1, ctrlKey: true });
  t.same(typed('other', ['down', control], ['down', key('с', 'KeyC', { ctrlKey: true })]), ['+ffe3', '+63']);
  t.same(typed('other', ['down', key('с', 'KeyC')]), ['+1000441'], 'without Ctrl it is the letter itself');
});

t.test('the platform is known by its name', async t => {
  t.same(['MacIntel', 'iPhone', 'Win32', 'Linux x86_64', ''].map(platformOf), [
    'mac',
    'mac',
    'windows',
    'other',
    'other',
  ]);
});

t.test('which keys paste', async t => {
  t.ok(isPasteShortcut(key('v', 'KeyV', { ctrlKey: true }), 'other'));
  t.ok(isPasteShortcut(key('V', 'KeyV', { ctrlKey: true, shiftKey: true }), 'windows'));
  t.ok(isPasteShortcut(key('Insert', 'Insert', { shiftKey: true }), 'other'));
  t.ok(isPasteShortcut(key('v', 'KeyV', { metaKey: true }), 'mac'));
  t.notOk(isPasteShortcut(key('v', 'KeyV', { ctrlKey: true }), 'mac'));
  t.notOk(isPasteShortcut(key('v', 'KeyV'), 'other'));
});

t.test('changes by a phone’s keyboard become key presses', async t => {
  t.same(textChange('hel', 'hello'), { erased: 0, typed: 'lo' });
  t.same(textChange('teh', 'the'), { erased: 2, typed: 'he' });
  t.same(textChange('a😀', 'a'), { erased: 1, typed: '' }, 'an emoji is one character');
});

t.test('long text is split between characters', async t => {
  t.same(splitText('aä€😀', 4), ['aä', '€', '😀']);
  t.same(splitText('', 4), []);
});
