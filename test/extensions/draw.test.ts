import t from 'tap';
import { add, clear, EMPTY, redo, undo } from '../../src/extensions/draw/history.js';
import { shortcut } from '../../src/extensions/draw/keys.js';
import { after, INITIAL, isPossible, lineWidth } from '../../src/extensions/draw/state.js';
import { curves, touches, type Stroke } from '../../src/extensions/draw/stroke.js';

const line = (...points: [x: number, y: number][]): Stroke => ({
  kind: 'pen',
  color: '#000000',
  width: 4,
  points: points.map(([x, y]) => ({ x, y })),
});

t.test('steps can be undone and redone until a new one is made', async t => {
  const [a, b, c] = [line([0, 0]), line([1, 1]), line([2, 2])];
  const two = add(add(EMPTY, a), b);
  t.same(undo(two).present, [a]);
  t.same(redo(undo(two)).present, [a, b]);
  t.same(undo(clear(two)).present, [a, b]);
  t.same(redo(add(undo(two), c)).present, [a, c], 'nothing is left to do again');
  t.equal(undo(EMPTY), EMPTY, 'nothing to undo');
  t.equal(clear(EMPTY), EMPTY, 'clearing nothing is no step');
});

t.test('a line looks the same whether drawn piece by piece or at once', async t => {
  const { points } = line([0, 0], [10, 0], [10, 10], [30, 20]);
  const grown: Stroke['points'] = [];
  const parts = points.flatMap(point => {
    grown.push(point);
    return curves(grown, Math.max(0, grown.length - 2), false);
  });
  const ended = curves(grown, grown.length - 1, true);
  // The dot that shows at the press is covered by the first curve.
  t.same([...parts.slice(1), ...ended], curves(points));
  for (const [index, part] of curves(points).entries()) {
    if (index > 0) t.same(part.from, curves(points)[index - 1]?.to, 'without gaps');
  }
});

t.test('lines outside the window are recognized', async t => {
  const stroke = line([100, 100], [200, 100]);
  t.ok(touches(stroke, 150, 50, 300, 150));
  t.ok(touches(stroke, 201, 0, 300, 300), 'by their width');
  t.notOk(touches(stroke, 203, 0, 300, 300));
  t.notOk(touches(stroke, 0, 103, 300, 300));
});

t.test('buttons change the state', async t => {
  const open = after(INITIAL, 'open');
  t.match(open, { open: true, tool: 'pen' });
  t.match(after(open, 'pen'), { open: true, tool: 'none' }, 'put away, with the tools in reach');
  t.match(after(open, 'close'), { open: false, tool: 'none' });
  t.match(after(after(open, 'eraser'), 'color:blue'), { tool: 'pen', color: 'blue' });
  t.match(after(open, 'visible'), { visible: false, tool: 'none' }, 'what is drawn would not be seen');
  t.match(after(after(open, 'visible'), 'pen'), { visible: true });
  t.ok(lineWidth(after(open, 'eraser')) > lineWidth(open));
  t.notOk(isPossible(open, 'undo'));
  t.ok(isPossible({ ...open, history: add(EMPTY, line([0, 0])) }, 'undo'));
});

t.test('keys', async t => {
  const key = (name: string, ...held: ('ctrlKey' | 'shiftKey' | 'altKey')[]) =>
    shortcut({
      key: name,
      ctrlKey: held.includes('ctrlKey'),
      metaKey: false,
      shiftKey: held.includes('shiftKey'),
      altKey: held.includes('altKey'),
    });
  t.equal(key('z', 'ctrlKey'), 'undo');
  t.equal(key('Z', 'ctrlKey', 'shiftKey'), 'redo');
  t.equal(key('y', 'ctrlKey'), 'redo');
  t.equal(key('Escape'), 'close');
  t.equal(key('z'), undefined);
  t.equal(key('z', 'ctrlKey', 'altKey'), undefined);
});
