import t from 'tap';
import { controlsOf } from '../../../src/web/controls/controls.js';
import { gripAt, pressed, type Zone } from '../../../src/web/sdk/pad/touch/fingers.js';
import { HALF_SIZE, type Part } from '../../../src/web/sdk/pad/touch/layout.js';
import { LAYOUTS } from '../../../src/web/sdk/pad/touch/layouts.js';
import { placementIn } from '../../../src/web/sdk/pad/touch/placement.js';

const KINDS = ['nes', 'snes', 'n64', 'ps1'] as const;
/** CSS pixels of a unit. */
const UNIT = 2;

/** The parts of a console's right or left hand as they are seen, from the corner of the page. */
const zonesOf = (parts: readonly Part[]): Zone[] =>
  parts.map(part => ({
    part,
    rect: {
      left: (part.x - part.width / 2) * UNIT,
      top: (part.y - part.height / 2) * UNIT,
      width: part.width * UNIT,
      height: part.height * UNIT,
    },
  }));

/** What is pressed by fingers that came down at the first place of theirs and slid to the last. */
const pressedBy = (zones: Zone[], ...slides: [x: number, y: number][][]) => {
  const at = ([x = 0, y = 0]: number[] = []) => ({ x: x * UNIT, y: y * UNIT });
  const fingers = slides.map(slide => ({ grip: gripAt(zones, at(slide[0])), at: at(slide.at(-1)) }));
  return Object.fromEntries(pressed(zones, fingers));
};

const idsOf = (part: Part) => (part.type === 'button' ? [part.control] : Object.values(part.sides));

t.test('each pad has its console’s controls, within reach and without overlap', async t => {
  for (const kind of KINDS) {
    const { left, right } = LAYOUTS[kind];
    const shown = [...left, ...right].flatMap(idsOf).sort();
    // A stick of glass cannot be pressed.
    t.same(
      shown,
      controlsOf(kind)
        .map(({ id }) => id)
        .filter(id => !['l3', 'r3'].includes(id))
        .sort(),
      kind,
    );
    for (const hand of [left, right]) {
      for (const { x, y, width, height } of hand) {
        t.ok(
          x - width / 2 >= 0 &&
            x + width / 2 <= HALF_SIZE.width &&
            y - height / 2 >= 0 &&
            y + height / 2 <= HALF_SIZE.height,
        );
      }
      const zones = zonesOf(hand);
      for (const part of hand.filter(({ type }) => type === 'button'))
        t.same(pressedBy(zones, [[part.x, part.y]]), { [idsOf(part)[0] ?? '']: 1 });
    }
  }
});

t.test('fingers press what they touch, and two buttons when between them', async t => {
  const zones = zonesOf(LAYOUTS.nes.right);
  const [b, a] = LAYOUTS.nes.right as [Part, Part];
  t.same(pressedBy(zones, [[a.x, a.y]], [[b.x, b.y]]), { a: 1, b: 1 });
  t.same(pressedBy(zones, [[(a.x + b.x) / 2, (a.y + b.y) / 2]]), { a: 1, b: 1 });
  t.same(
    pressedBy(zones, [
      [a.x, a.y],
      [b.x, b.y],
    ]),
    { b: 1 },
    'it slides from one to the next',
  );
  t.same(
    pressedBy(zones, [
      [2, 5],
      [a.x, a.y],
    ]),
    { a: 1 },
    'also when it came down beside them',
  );
  t.same(
    pressedBy(zones, [
      [a.x, a.y],
      [2, 5],
    ]),
    {},
  );
});

t.test('a directional pad has eight directions and a centre, and keeps the thumb that first touched it', async t => {
  const zones = zonesOf(LAYOUTS.nes.left);
  const [{ x, y }] = LAYOUTS.nes.left as [Part];
  t.same(pressedBy(zones, [[x, y - 30]]), { up: 1 });
  t.same(pressedBy(zones, [[x + 20, y - 22]]), { up: 1, right: 1 });
  t.same(pressedBy(zones, [[x - 30, y + 5]]), { left: 1 });
  t.same(pressedBy(zones, [[x + 2, y - 2]]), {});
  t.same(
    pressedBy(zones, [
      [x, y - 30],
      [x, y + 90],
    ]),
    { down: 1 },
    'over Select and beyond',
  );
});

t.test('a stick follows the thumb', async t => {
  const zones = zonesOf(LAYOUTS.n64.left);
  const { x, y, width } = LAYOUTS.n64.left.find(({ type }) => type === 'stick') as Part;
  t.same(
    pressedBy(zones, [
      [x, y],
      [x + width, y],
    ]),
    { 'stick-right': 1 },
  );
  const half = pressedBy(zones, [
    [x, y],
    [x, y - width * 0.1875],
  ]);
  t.same(half, { 'stick-up': 0.5 });
  const askew = pressedBy(zones, [
    [x, y],
    [x - width, y + width],
  ]);
  t.ok(
    Math.hypot(askew['stick-left'] ?? 0, askew['stick-down'] ?? 0) <= 1.02,
    'no farther at a slant than straight on',
  );
});

t.test('the pad is below the picture where there is room, else over its corners', async t => {
  const picture = { width: 1280, height: 720 };
  const portrait = placementIn({ width: 390, height: 844 }, picture);
  t.match(portrait, { where: 'below' });
  t.ok(portrait.height <= 844 - (390 * 720) / 1280, 'the picture keeps its width');
  for (const [width, height] of [
    [844, 390],
    [640, 400],
    [320, 200],
    [1024, 768],
  ] as const) {
    const { where, unit, height: free } = placementIn({ width, height }, picture);
    t.match({ where, free }, { where: 'over', free: 0 }, `${width} x ${height}`);
    t.ok(2 * HALF_SIZE.width * unit <= width && HALF_SIZE.height * unit <= height);
  }
  t.equal(placementIn({ width: 0, height: 0 }, { width: 0, height: 0 }).unit, 0, 'before there is anything');
});
