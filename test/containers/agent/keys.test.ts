// tags: containers
/** What pages are told of keys, for the characters and places of many keyboards. */
import t from 'tap';
import { keycodeOf } from '../../../src/protocol/keycodes.js';
import { keysymOf } from '../../../src/web/controls/keysyms.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

interface Told {
  readonly key: string;
  readonly code: string;
  readonly repeat: boolean;
  readonly up: boolean;
  /** Those of Shift, Control, Alt, AltGraph and CapsLock that are held. */
  readonly held: string;
}

/** Reports keys, and what a text field has of them. */
const PAGE = `<!doctype html><title>keys</title><textarea autofocus></textarea><script>
const field = document.querySelector('textarea');
const tell = told => fetch('/report', { method: 'POST', body: JSON.stringify(told) });
let last = Promise.resolve();
for (const type of ['keydown', 'keyup']) addEventListener(type, event => {
  const held = ['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock'].filter(name => event.getModifierState(name)).join();
  const told = { key: event.key, code: event.code, repeat: event.repeat, up: type === 'keyup', held };
  last = last.then(() => tell(told));
}, true);
field.addEventListener('input', () => { last = last.then(() => tell({ text: field.value })); });
</script>`;

/** What is pressed: the code of a key, a character, and modifiers that are held with it. */
type Press = readonly [code: string, key: string, ...held: ('Shift' | 'AltGraph')[]];

const LAYOUTS: Readonly<Record<string, readonly Press[]>> = {
  US: [
    ['KeyA', 'a'],
    ['KeyA', 'A', 'Shift'],
    ['Digit1', '1'],
    ['Digit1', '!', 'Shift'],
    ['Slash', '/'],
    ['Backquote', '~', 'Shift'],
  ],
  German: [
    ['KeyY', 'z'],
    ['KeyZ', 'y'],
    ['BracketLeft', 'ü'],
    ['BracketLeft', 'Ü', 'Shift'],
    ['Minus', 'ß'],
    ['KeyQ', '@', 'AltGraph'],
    ['KeyE', '€', 'AltGraph'],
    ['Digit7', '/', 'Shift'],
    ['Digit0', '=', 'Shift'],
    ['IntlBackslash', '<'],
    ['IntlBackslash', '>', 'Shift'],
  ],
  French: [
    ['KeyQ', 'a'],
    ['KeyA', 'q'],
    ['KeyW', 'z'],
    ['Digit1', '&'],
    ['Digit1', '1', 'Shift'],
    ['Digit2', 'é'],
    ['Slash', '!'],
    ['Period', '/', 'Shift'],
    ['Digit0', '@', 'AltGraph'],
    ['Backslash', 'µ', 'Shift'],
    ['Semicolon', 'm'],
    ['Semicolon', 'M', 'Shift'],
  ],
  Spanish: [
    ['Semicolon', 'ñ'],
    ['Semicolon', 'Ñ', 'Shift'],
    ['Equal', '¡'],
    ['Minus', '?', 'Shift'],
    ['Digit2', '@', 'AltGraph'],
  ],
  Polish: [
    ['KeyL', 'ł', 'AltGraph'],
    ['KeyA', 'ą', 'AltGraph'],
    ['KeyA', 'Ą', 'AltGraph', 'Shift'],
    ['KeyX', 'ź', 'AltGraph'],
  ],
  Turkish: [
    ['KeyI', 'ı'],
    ['KeyI', 'I', 'Shift'],
    ['Quote', 'i'],
    ['Quote', 'İ', 'Shift'],
    ['BracketLeft', 'ğ'],
    ['Semicolon', 'ş'],
  ],
  Russian: [
    ['Semicolon', 'ж'],
    ['KeyQ', 'й'],
    ['KeyQ', 'Й', 'Shift'],
    ['Slash', '.'],
    ['Slash', ',', 'Shift'],
    ['Digit3', '№', 'Shift'],
  ],
  Greek: [
    ['KeyA', 'α'],
    ['KeyV', 'Ω', 'Shift'],
    ['KeyV', 'ω'],
    ['KeyW', 'ς'],
    ['KeyQ', ';'],
  ],
  Hebrew: [
    ['KeyT', 'א'],
    ['KeyQ', '/'],
    ['Comma', 'ת'],
    ['KeyW', "'"],
  ],
  Arabic: [
    ['KeyF', 'ب'],
    ['KeyH', 'ا'],
    ['KeyB', 'ﻻ'],
    ['Backquote', 'ذ'],
  ],
  Japanese: [
    ['BracketLeft', '@'],
    ['Equal', '^'],
    ['IntlYen', '¥'],
    ['IntlRo', '\\'],
    ['Digit2', '"', 'Shift'],
    ['KeyA', 'ち'],
  ],
  Dvorak: [
    ['KeyQ', "'"],
    ['KeyW', ','],
    ['KeyD', 'e'],
    ['KeyS', 'o'],
    ['Semicolon', 's'],
    ['Semicolon', 'S', 'Shift'],
  ],
  'Caps Lock': [
    ['KeyA', 'A'],
    ['KeyA', 'a', 'Shift'],
    ['Semicolon', 'Ж'],
    ['Digit1', '1'],
  ],
};
/** Where modifiers are. */
const MODIFIERS = { Shift: 'ShiftLeft', AltGraph: 'AltRight' } as const;

t.test('pages are told the keys of any keyboard', async t => {
  const computer = await Computer.start(t);
  const service = await Service.connect(t, computer);
  const site = await computer.serve(PAGE, 8000);
  const reports = site.reports as (Told | { readonly text: string })[];
  const told = () => reports.filter((report): report is Told => 'key' in report);
  const downs = () => told().filter(({ up, key }) => !up && !['Shift', 'AltGraph'].includes(key));
  const text = () => reports.flatMap(report => ('text' in report ? report.text : [])).at(-1) ?? '';
  await service.run(launchOf({ start_url: 'http://localhost:8000/', kiosk: true }));
  await until('the field has the focus', () => {
    service.press(0x2e);
    return text() !== '';
  });
  // All of these points must have come before anything else counts.
  service.press(0x21);
  await until('the last of them', () => told().at(-1)?.key === '!' && told().at(-1)?.up === true);
  const send = (down: boolean, key: string, code?: string) => {
    const place = code === undefined ? undefined : keycodeOf(code);
    service.input({
      type: 'key',
      down,
      keysym: keysymOf(key, 0) ?? 0,
      ...(place === undefined ? {} : { code: place }),
    });
  };
  const press = ([code, key, ...held]: Press) => {
    for (const name of held) send(true, name, MODIFIERS[name]);
    send(true, key, code);
    send(false, key, code);
    for (const name of held) send(false, name, MODIFIERS[name]);
  };

  for (const [layout, presses] of Object.entries(LAYOUTS)) {
    const [before, written] = [downs().length, text()];
    for (const each of presses) press(each);
    await until(`${presses.length} keys of ${layout}`, () => downs().length >= before + presses.length);
    t.same(
      downs()
        .slice(before)
        .map(({ key, code, held }) => [
          code,
          key,
          ...held.split(',').filter(name => name !== '' && name !== 'CapsLock'),
        ]),
      presses.map(([code, key, ...held]) =>
        [code, key, ...held].sort((a, b) => Number(a === 'AltGraph') - Number(b === 'AltGraph')),
      ),
      layout,
    );
    const wanted = written + presses.map(([, key]) => key).join('');
    await until(`the text of ${layout}`, () => text() === wanted).catch(() => undefined);
    t.equal(text(), wanted, `what is written on a keyboard for ${layout}`);
  }

  const rare = Array.from({ length: 300 }, (_, i) => String.fromCodePoint(0x4e00 + i * 7));
  const [before, written] = [downs().length, text()];
  for (const key of [...rare, 'ж', 'é', '1']) {
    send(true, key);
    send(false, key);
  }
  await until('all characters without a place', () => downs().length >= before + rare.length + 3);
  t.same(
    downs()
      .slice(before)
      .map(({ key }) => key),
    [...rare, 'ж', 'é', '1'],
  );
  await until('their text', () => text() === `${written}${rare.join('')}жé1`).catch(() => undefined);
  t.equal(text(), `${written}${rare.join('')}жé1`);

  await until('the last of them is let go', () => told().at(-1)?.key === '1' && told().at(-1)?.up === true);
  const from = told().length;
  const since = () => told().slice(from);
  for (const count of [1, 2, 3]) {
    send(true, 'x', 'KeyX');
    const happened = () => `x comes ${count} times: ${JSON.stringify(since())}`;
    await until(happened, () => since().length === count);
  }
  send(false, 'x', 'KeyX');
  send(true, '7', 'Digit7');
  send(false, '7', 'Digit7');
  await until('the key after it', () => told().at(-1)?.key === '7' && told().at(-1)?.up === true);
  t.same(
    since().map(({ key, up, repeat }) => [key, up, repeat]),
    [
      ['x', false, false],
      ['x', false, true],
      ['x', false, true],
      ['x', true, false],
      ['7', false, false],
      ['7', true, false],
    ],
    'repeats are those of the viewer',
  );
});
