import t from 'tap';
import { merge, NO_WISHES } from '../../../src/agent/link/wishes.js';

t.test('media flow if any link wants them', async t => {
  t.same(merge([]), NO_WISHES);
  t.match(
    merge([
      { ...NO_WISHES, video: true },
      { ...NO_WISHES, audio: true },
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
