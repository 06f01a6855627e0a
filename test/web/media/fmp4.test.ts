import t from 'tap';
import { findNal, NalType, nalUnits } from '../../../src/h264/nal.js';
import { parseSps, type Sps } from '../../../src/h264/sps.js';
import { fragment, initSegment } from '../../../src/web/media/codec/fmp4.js';
import { testFrame420 } from '../../../src/web/media/video/test-frame.js';

interface Box {
  type: string;
  content: Buffer;
}

function boxes(bytes: Uint8Array): Box[] {
  const buffer = Buffer.from(bytes);
  const found: Box[] = [];
  for (let at = 0; at < buffer.length;) {
    const length = buffer.readUInt32BE(at);
    if (length < 8 || at + length > buffer.length) throw new Error(`a box of ${length} bytes at ${at}`);
    found.push({ type: buffer.toString('latin1', at + 4, at + 8), content: buffer.subarray(at + 8, at + length) });
    at += length;
  }
  return found;
}

function box(bytes: Uint8Array, ...path: string[]): Buffer {
  let content = Buffer.from(bytes);
  for (const type of path) {
    const inner = boxes(content).find(candidate => candidate.type === type);
    if (inner === undefined) throw new Error(`no ${type}`);
    content = inner.content as typeof content;
  }
  return content;
}

const unit = testFrame420();
const [spsNal, ppsNal] = [NalType.sps, NalType.pps].map(type => findNal(unit, type)) as [Uint8Array, Uint8Array];

t.test('the start has one track of the picture’s size and no duration, so that it is live', async t => {
  const start = initSegment(parseSps(spsNal) as Sps, spsNal, ppsNal);
  t.same(
    boxes(start).map(({ type }) => type),
    ['ftyp', 'moov'],
  );
  t.same(
    boxes(box(start, 'moov')).map(({ type }) => type),
    ['mvhd', 'trak', 'mvex'],
  );
  t.equal(box(start, 'moov', 'mvhd').readUInt32BE(16), 0, 'duration');
  t.equal(box(start, 'moov', 'trak', 'tkhd').readUInt32BE(76), 320 * 65536);
  const description = box(start, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd').subarray(8);
  const configuration = box(boxes(description)[0]?.content.subarray(78) ?? new Uint8Array(), 'avcC');
  t.ok(configuration.includes(Buffer.from(spsNal)), 'the SPS is in the configuration');
  t.ok(configuration.includes(Buffer.from(ppsNal)), 'so is the PPS');
});

t.test('a fragment has one frame with its length before each unit', async t => {
  const made = fragment({ sequence: 7, key: true, time: 90_000, duration: 1500, nals: nalUnits(unit) });
  t.same(
    boxes(made).map(({ type }) => type),
    ['moof', 'mdat'],
  );
  t.equal(box(made, 'moof', 'mfhd').readUInt32BE(4), 7);
  t.equal(box(made, 'moof', 'traf', 'tfdt').readBigUInt64BE(4), 90_000n);
  const run = box(made, 'moof', 'traf', 'trun');
  const data = box(made, 'mdat');
  t.equal(run.readUInt32BE(4), 1, 'one sample');
  t.same(Buffer.from(made).subarray(run.readUInt32BE(8)), data, 'the offset points to the data');
  t.equal(run.readUInt32BE(12), 1500);
  t.equal(run.readUInt32BE(16), data.length);
  t.equal(run.readUInt32BE(20), 0x02000000, 'it depends on no other');
  t.equal(data.readUInt32BE(0), data.length - 4, 'one slice, without parameter sets');
});
