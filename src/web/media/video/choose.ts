import { findNal, NalType, nalUnits } from '../../../h264/nal.js';
import { parseSps } from '../../../h264/sps.js';
import { fragment, initSegment, TIMESCALE } from '../codec/fmp4.js';
import { MsePipeline, mimeType } from './mse-pipeline.js';
import type { FrameOutput, PipelineEvents, VideoPipeline } from './pipeline.js';
import { testFrame420, testFrame444 } from './test-frame.js';
import { decoderConfig, WebCodecsPipeline, type HardwarePreference } from './webcodecs-pipeline.js';

/** One method of playing video. */
export type PipelineChoice = 'webcodecs' | 'webcodecs-software' | 'mse';

/** All methods, best first. */
const TABLE: readonly PipelineChoice[] = ['webcodecs', 'webcodecs-software', 'mse'];

/** Time limit for decoding a test frame. */
const PROBE_TIMEOUT_MS = 1500;
/** If no method succeeded, a device may be busy: the remaining candidates get this much time. */
const LAST_PROBE_TIMEOUT_MS = 15_000;

export interface VideoSupport {
  /**
   * The available methods, best first; the first one was tested, the others are tested when it fails. Empty if video
   * cannot be played.
   */
  choices: PipelineChoice[];
  /** Whether the best method decodes 4:4:4. */
  chroma444: boolean;
}

/** The result of a test frame; `late`: not decoded in time. */
type Verdict = 'works' | 'fails' | 'late';

/** Finds the first method that works by testing each with a real frame, leaving out those known to be `broken`. */
export async function findVideoSupport(broken: ReadonlySet<string>): Promise<VideoSupport> {
  const candidates = TABLE.filter(choice => !broken.has(choice));
  const failed = new Set<PipelineChoice>();
  for (const timeout of [PROBE_TIMEOUT_MS, LAST_PROBE_TIMEOUT_MS]) {
    for (const [i, choice] of candidates.entries()) {
      if (failed.has(choice)) continue;
      const [verdict, chroma444] = await Promise.all([
        probe(choice, testFrame420(), timeout),
        probe(choice, testFrame444(), PROBE_TIMEOUT_MS),
      ]);
      if (verdict === 'works') return { choices: candidates.slice(i), chroma444: chroma444 === 'works' };
      if (verdict === 'fails') failed.add(choice);
    }
  }
  return { choices: [], chroma444: false };
}

export function createPipeline(choice: PipelineChoice, events: PipelineEvents, output: FrameOutput): VideoPipeline {
  if (choice === 'mse') return new MsePipeline(events, output.frames);
  return new WebCodecsPipeline(choice === 'webcodecs' ? 'no-preference' : 'prefer-software', events, output);
}

async function probe(choice: PipelineChoice, unit: Uint8Array, timeout: number): Promise<Verdict> {
  try {
    if (choice === 'mse') return await probeMse(unit, timeout);
    return await probeWebCodecs(unit, choice === 'webcodecs' ? 'no-preference' : 'prefer-software', timeout);
  } catch {
    return 'fails';
  }
}

async function probeWebCodecs(unit: Uint8Array, hardware: HardwarePreference, timeout: number): Promise<Verdict> {
  if (!('VideoDecoder' in globalThis)) return 'fails';
  const sps = spsOf(unit);
  const config = decoderConfig(sps.codec, hardware);
  if ((await VideoDecoder.isConfigSupported(config)).supported !== true) return 'fails';
  let decoder: VideoDecoder | undefined;
  const decoded = await within(
    timeout,
    new Promise<boolean>(resolve => {
      decoder = new VideoDecoder({
        output: picture => {
          resolve(picture.displayWidth === sps.width && picture.displayHeight === sps.height);
          picture.close();
        },
        error: () => resolve(false),
      });
      decoder.configure(config);
      decoder.decode(new EncodedVideoChunk({ type: 'key', timestamp: 0, duration: 1000, data: unit }));
    }),
  );
  if (decoder !== undefined && decoder.state !== 'closed') decoder.close();
  return decoded;
}

async function probeMse(unit: Uint8Array, timeout: number): Promise<Verdict> {
  const sps = spsOf(unit);
  const type = mimeType(sps.codec);
  if (!('MediaSource' in globalThis) || !MediaSource.isTypeSupported(type)) return 'fails';
  const source = new MediaSource();
  const video = document.createElement('video');
  video.muted = true;
  const url = URL.createObjectURL(source);
  const shown = new Promise<boolean>(resolve => {
    video.addEventListener('loadeddata', () => resolve(video.videoWidth === sps.width), { once: true });
    video.addEventListener('error', () => resolve(false), { once: true });
    source.addEventListener('sourceopen', () => {
      const buffer = source.addSourceBuffer(type);
      const spsNal = findNal(unit, NalType.sps) as Uint8Array;
      const ppsNal = findNal(unit, NalType.pps) as Uint8Array;
      const sample = { sequence: 1, key: true, time: 0, duration: TIMESCALE, nals: nalUnits(unit) };
      // An aborted update also ends.
      const append = () => source.readyState === 'open' && buffer.appendBuffer(fragment(sample));
      buffer.addEventListener('updateend', append, { once: true });
      buffer.appendBuffer(initSegment(sps, spsNal, ppsNal));
    });
  });
  video.src = url;
  const verdict = await within(timeout, shown);
  video.removeAttribute('src');
  video.load();
  URL.revokeObjectURL(url);
  return verdict;
}

function spsOf(unit: Uint8Array) {
  const sps = parseSps(findNal(unit, NalType.sps) ?? new Uint8Array());
  if (sps === null) throw new Error('the test frame has no parameter set');
  return sps;
}

const within = (timeout: number, works: Promise<boolean>): Promise<Verdict> =>
  Promise.race([
    works.then(yes => (yes ? 'works' : 'fails')),
    new Promise<Verdict>(resolve => setTimeout(() => resolve('late'), timeout)),
  ]);
