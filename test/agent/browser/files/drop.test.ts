import t from 'tap';
import { placeInPage } from '../../../../src/agent/browser/files/drop.js';

const display = { width: 1001, height: 501 };

t.test('the corners of a page that fills the display', t => {
  t.same(placeInPage(0, 0, display, display), { x: 0, y: 0 });
  t.same(placeInPage(1, 1, display, display), { x: 1000, y: 500 });
  t.end();
});

t.test('a page below the navigation bar starts below it', t => {
  const page = { width: 1001, height: 401 };
  t.same(placeInPage(0.5, 0.2, display, page), { x: 500, y: 0 });
  t.equal(placeInPage(0.5, 0.1, display, page), undefined, 'that is the navigation');
  t.end();
});
