import { NalType, nalType } from '../../../h264/nal.js';
import type { Sps } from '../../../h264/sps.js';
import { ascii, box, concat, fullBox, uint, zeros } from './mp4.js';

/** Timescale of the track, ticks per second. */
export const TIMESCALE = 90_000;

const TRACK = 1;
const SYNC_SAMPLE = 0x02000000;
const DEPENDENT_SAMPLE = 0x01010000;
const MATRIX = concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(value => uint(4, value)));

export interface Sample {
  /** Sequence number of the fragment, from 1. */
  sequence: number;
  key: boolean;
  /** Presentation time and duration, in ticks. */
  time: number;
  duration: number;
  nals: Uint8Array[];
}

/**
 * The initialization segment of a fragmented MP4 with one H.264 track. Its duration is unknown, so browsers treat it as
 * a live stream and do not buffer frames.
 */
export function initSegment(sps: Sps, spsNal: Uint8Array, ppsNal: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat([
    box('ftyp', ascii('iso5'), uint(4, 512), ascii('iso5iso6mp41')),
    box('moov', movieHeader(), track(sps, spsNal, ppsNal), box('mvex', trackDefaults())),
  ]);
}

/** A fragment with one frame. Parameter sets are left out, since the initialization segment has them. */
export function fragment({ sequence, key, time, duration, nals }: Sample): Uint8Array<ArrayBuffer> {
  const slices = nals.filter(nal => nalType(nal) !== NalType.sps && nalType(nal) !== NalType.pps);
  const data = concat(slices.flatMap(nal => [uint(4, nal.length), nal]));
  const moof = (dataOffset: number) =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, uint(4, sequence)),
      box(
        'traf',
        fullBox('tfhd', 0, 0x020000, uint(4, TRACK)),
        fullBox('tfdt', 1, 0, uint(8, time)),
        fullBox(
          'trun',
          0,
          0x000701,
          uint(4, 1),
          uint(4, dataOffset),
          uint(4, duration),
          uint(4, data.length),
          uint(4, key ? SYNC_SAMPLE : DEPENDENT_SAMPLE),
        ),
      ),
    );
  return concat([moof(moof(0).length + 8), box('mdat', data)]);
}

const movieHeader = () =>
  fullBox(
    'mvhd',
    0,
    0,
    zeros(8),
    uint(4, TIMESCALE),
    uint(4, 0),
    uint(4, 0x10000),
    uint(2, 0x100),
    zeros(10),
    MATRIX,
    zeros(24),
    uint(4, TRACK + 1),
  );

const trackDefaults = () => fullBox('trex', 0, 0, uint(4, TRACK), uint(4, 1), zeros(12));

function track(sps: Sps, spsNal: Uint8Array, ppsNal: Uint8Array): Uint8Array {
  const header = fullBox(
    'tkhd',
    0,
    3,
    zeros(8),
    uint(4, TRACK),
    zeros(4),
    uint(4, 0),
    zeros(16),
    MATRIX,
    uint(4, sps.width * 0x10000),
    uint(4, sps.height * 0x10000),
  );
  const language = uint(2, 0x55c4);
  const samples = box(
    'stbl',
    fullBox('stsd', 0, 0, uint(4, 1), sampleEntry(sps, spsNal, ppsNal)),
    ...['stts', 'stsc', 'stco'].map(type => fullBox(type, 0, 0, uint(4, 0))),
    fullBox('stsz', 0, 0, zeros(8)),
  );
  return box(
    'trak',
    header,
    box(
      'mdia',
      fullBox('mdhd', 0, 0, zeros(8), uint(4, TIMESCALE), uint(4, 0), language, zeros(2)),
      fullBox('hdlr', 0, 0, zeros(4), ascii('vide'), zeros(12), ascii('video\0')),
      box(
        'minf',
        fullBox('vmhd', 0, 1, zeros(8)),
        box('dinf', fullBox('dref', 0, 0, uint(4, 1), fullBox('url ', 0, 1))),
        samples,
      ),
    ),
  );
}

function sampleEntry(sps: Sps, spsNal: Uint8Array, ppsNal: Uint8Array): Uint8Array {
  const resolution = uint(4, 0x480000);
  return box(
    'avc1',
    zeros(6),
    uint(2, 1),
    zeros(16),
    uint(2, sps.width),
    uint(2, sps.height),
    resolution,
    resolution,
    zeros(4),
    uint(2, 1),
    zeros(32),
    uint(2, 0x18),
    uint(2, 0xffff),
    decoderConfiguration(sps, spsNal, ppsNal),
  );
}

function decoderConfiguration(sps: Sps, spsNal: Uint8Array, ppsNal: Uint8Array): Uint8Array {
  const high = [100, 110, 122, 244].includes(sps.profile);
  const depth = 0xf8 + sps.bitDepth - 8;
  const extension = high ? Uint8Array.of(0xfc + sps.chroma, depth, depth, 0) : zeros(0);
  return box(
    'avcC',
    Uint8Array.of(1),
    spsNal.subarray(1, 4),
    Uint8Array.of(0xff, 0xe1),
    uint(2, spsNal.length),
    spsNal,
    uint(1, 1),
    uint(2, ppsNal.length),
    ppsNal,
    extension,
  );
}
