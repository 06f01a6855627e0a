import t from 'tap';
import { hasGraphicsCard } from '../../../src/agent/browser/launch/graphics-card.js';

t.test('a graphics card is a render node', async t => {
  const folder = t.testdir({ none: {}, screen: { card0: '', 'by-path': {} }, card: { card0: '', renderD128: '' } });
  t.equal(await hasGraphicsCard(`${folder}/nowhere`), false);
  t.equal(await hasGraphicsCard(`${folder}/none`), false);
  t.equal(await hasGraphicsCard(`${folder}/screen`), false);
  t.equal(await hasGraphicsCard(`${folder}/card`), true);
});
