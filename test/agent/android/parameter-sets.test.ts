import { readFileSync } from 'node:fs';
import t from 'tap';
import { parameterSets } from '../../../src/agent/android/video/parameter-sets.js';
import { annexB, findNal, NalType, nalType, nalUnits } from '../../../src/h264/nal.js';

const recorded = readFileSync(new URL('../../fixtures/media/stream/wide.h264', import.meta.url));
const sps = findNal(recorded, NalType.sps) as Uint8Array;
const pps = Uint8Array.of(0x68, 0xce, 0x38, 0x80);

t.test('the parameter sets of a configuration packet', async t => {
  const sets = parameterSets(annexB([sps, pps]));
  t.match(sets, { width: 640, height: 360 });
  t.same(
    nalUnits(sets?.bytes ?? Buffer.alloc(0)).map(nalType),
    [NalType.sps, NalType.pps],
    'the picture parameter set follows',
  );
  t.equal(parameterSets(annexB([pps])), null);
  t.equal(parameterSets(annexB([sps.subarray(0, 6), pps])), null, 'one that is cut off is none');
});
