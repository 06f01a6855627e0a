import t from 'tap';
import { merge, NO_MEDIA } from '../../../src/agent/link/media-subscription.js';

t.test('media flow if any link wants them', async t => {
  t.same(merge([]), NO_MEDIA);
  t.match(
    merge([
      { ...NO_MEDIA, video: true },
      { ...NO_MEDIA, audio: true },
    ]),
    { video: true, audio: true },
  );
});

t.test('the lowest rate of all watching links is used', async t => {
  const watching = (kbps: number | undefined) => ({ ...NO_MEDIA, video: true, kbps });
  t.equal(merge([watching(4000), watching(1000), watching(undefined)]).kbps, 1000);
  t.equal(
    merge([watching(4000), { ...watching(1000), video: false }]).kbps,
    4000,
    'one that does not watch is not asked',
  );
  t.equal(merge([watching(undefined)]).kbps, undefined);
});

t.test('the small layer is encoded while any watching link needs it, at the lowest rate', async t => {
  const needing = (smallKbps: number | undefined) => ({ ...NO_MEDIA, video: true, smallKbps });
  t.equal(merge([needing(undefined)]).smallKbps, undefined);
  t.equal(merge([needing(undefined), needing(900), needing(700)]).smallKbps, 700);
  t.equal(merge([{ ...needing(900), video: false }]).smallKbps, undefined);
});
