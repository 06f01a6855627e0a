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
  const watching = (kbps: number | undefined) => ({ video: true, audio: false, kbps });
  t.equal(merge([watching(4000), watching(1000), watching(undefined)]).kbps, 1000);
  t.equal(
    merge([watching(4000), { ...watching(1000), video: false }]).kbps,
    4000,
    'one that does not watch is not asked',
  );
  t.equal(merge([watching(undefined)]).kbps, undefined);
});
