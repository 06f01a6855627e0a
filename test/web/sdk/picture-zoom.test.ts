import t from 'tap';
import { revealed, WHOLE, zoomBy, zoomedRect } from '../../../src/web/sdk/view/picture-zoom.js';

/** A picture of 1280 by 720 on a phone that is held upright. */
const view = { width: 390, height: 844 };
const fit = { left: 0, top: 312.3125, width: 390, height: 219.375 };
const scale = 1280 / 390;
const at = { x: 100, y: 400 };
const enlarge = (before: typeof WHOLE, factor: number, from = at, to = from) =>
  zoomBy(before, { factor, from, to }, { fit, view, scale });

t.test('what is between the fingers stays there', async t => {
  const before = enlarge(WHOLE, 2, { x: 195, y: 422 });
  const rect = zoomedRect(before, fit, view);
  const place = (at.x - rect.left) / rect.width;
  const to = { x: 120, y: 400 };
  const after = zoomedRect(enlarge(before, 1.5, at, to), fit, view);
  t.ok(Math.abs((to.x - after.left) / after.width - place) < 1e-9);
  t.equal(after.width, 390 * 3);
});

t.test('an enlarged picture leaves no gap, and is in the middle of a view that it does not fill', async t => {
  const rect = zoomedRect(enlarge(enlarge(WHOLE, 3), 1, at, { x: 9000, y: -9000 }), fit, view);
  t.equal(rect.left, 0);
  t.equal(rect.top, (844 - 219.375 * 3) / 2);
  t.equal(zoomedRect(enlarge(enlarge(WHOLE, 3), 1, at, { x: -9000, y: 0 }), fit, view).left, 390 - 3 * 390);
});

t.test('it is never smaller than the view, nor so large that nothing can be made out', async t => {
  t.equal(enlarge(WHOLE, 0.5).factor, 1);
  t.same(zoomedRect(enlarge(enlarge(WHOLE, 3), 0.1), fit, view), fit);
  t.equal(enlarge(WHOLE, 100).factor, 2 * scale, 'until a pixel is two');
  t.equal(zoomBy(WHOLE, { factor: 100, from: at, to: at }, { fit, view, scale: 1 }).factor, 4);
});

t.test('what was in the middle stays there when the phone is turned', async t => {
  const zoom = enlarge(WHOLE, 4, { x: 195, y: 422 });
  const turned = zoomedRect(zoom, { left: 75.5, top: 0, width: 693, height: 390 }, { width: 844, height: 390 });
  t.ok(Math.abs((422 - turned.left) / turned.width - 0.5) < 1e-9);
});

t.test('a place is shown above the keyboard, and the picture leaves no gap there', async t => {
  const wide = { left: 75.5, top: 0, width: 693, height: 390 };
  const above = { width: 844, height: 150 };
  const topOf = (y: number) => zoomedRect(revealed(WHOLE, { x: 0.2, y }, wide, above), wide, above).top;
  t.equal(topOf(0.5), 75 - 195, 'in the middle');
  t.equal(topOf(1), 150 - 390, 'the lower edge');
  t.equal(topOf(0), 0, 'the upper edge');
  const large = { factor: 3, middle: { x: 0.2, y: 0.5 } };
  t.equal(revealed(large, { x: 0.25, y: 0.5 }, wide, above).middle.x, 0.2, 'it is seen anyway');
  t.equal(revealed(large, { x: 0.9, y: 0.5 }, wide, above).middle.x, 0.9);
});
