import t from 'tap';
import { KioskKeys } from '../../../src/agent/browser/kiosk-keys.js';

const SHIFT = 0xffe1;
const CONTROL = 0xffe4;
const ESCAPE = 0xff1b;
const F1 = 0xffbe;
const LETTER_O = 0x6f;

t.test("a kiosk's browser does not hear of keys that open windows of its own", async t => {
  const keys = new KioskKeys();
  const passes = (keysym: number, down = true) => keys.passes({ type: 'key', keysym, down });
  t.notOk(passes(F1), 'its help');
  t.ok(passes(F1, false), 'releases pass');
  t.ok(passes(ESCAPE));
  t.ok(passes(LETTER_O));

  t.ok(passes(SHIFT));
  t.notOk(passes(ESCAPE), 'its task manager');
  t.ok(passes(LETTER_O));
  passes(SHIFT, false);
  t.ok(passes(ESCAPE));

  passes(CONTROL);
  t.notOk(passes(LETTER_O), "a file's dialog");
  const cyrillic = { type: 'key', keysym: 0x6dd, code: 32, down: true } as const;
  t.notOk(keys.passes(cyrillic), 'by its key on another keyboard');
  t.ok(passes(ESCAPE));
  t.ok(keys.passes({ type: 'release' }));
  t.ok(passes(LETTER_O), 'all keys were released');
  t.ok(keys.passes(cyrillic));
  t.ok(keys.passes({ type: 'move', x: 0, y: 0 }));
});
