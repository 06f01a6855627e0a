import { setTimeout as sleep } from 'node:timers/promises';
import { MessageType } from '../../src/protocol/message-type.js';
import type { Service } from '../../test/fixtures/services/service.js';
import { contentOf, difference } from './content.js';
import { Looks, LOOK_EVERY_MS } from './looks.js';
import type { Picture } from './picture.js';
import { press } from './press.js';
import type { Program } from './programs.js';
import type { Reader, Report } from './reading.js';
import type { Trial } from './result.js';
import { GameSession, NoSession } from './session.js';
import { peakOf } from './sound.js';

export interface PlayOptions {
  readonly service: Service;
  /** Where to download the program from. */
  readonly url: string;
  /** The reference picture. */
  readonly reference: Picture | null;
  readonly seconds: number;
  readonly reader: Reader;
}

/** The result of trying a program: what was observed, and the most telling picture, PNG. */
export interface Played {
  readonly trial: Trial;
  readonly picture: Buffer | null;
}

/** When pictures are taken in any case: shares of the time. Buttons are pressed between the two. */
const UNTOUCHED = [0.25, 0.4, 0.55];
const TOUCHED = [0.8, 1];

const RUNS_WITHIN_S = 60;
const HUNG = { reason: 'hung', message: `Its session was still not running after ${RUNS_WITHIN_S} seconds.` };

const NOTHING = { hasRun: false, restarts: 0, contents: [], moved: 0, fps: 0, peak: 0, similarity: null, report: null };

/** Starts a program through the service, watches it, presses buttons, and ends its session. */
export async function play({ type }: Program, options: PlayOptions): Promise<Played> {
  let session;
  try {
    session = await GameSession.start(options.service, type, options.url);
  } catch (error) {
    if (!(error instanceof NoSession)) throw error;
    return { trial: { ...NOTHING, ended: { reason: 'unavailable', message: error.message } }, picture: null };
  }
  try {
    return await watch(session, options);
  } finally {
    await session.end();
  }
}

async function watch(session: GameSession, { seconds, reference, reader }: PlayOptions): Promise<Played> {
  const deadline = performance.now() + RUNS_WITHIN_S * 1000;
  while (!session.hasRun && session.ended === null && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
  const begin = performance.now();
  const framesBefore = session.viewer.frames.length;
  const looks = new Looks(session, reference);
  const at = (share: number) => begin + share * seconds * 1000;
  for (const share of UNTOUCHED) await looks.until(at(share));
  await press(session, looks);
  for (const share of TOUCHED) await looks.until(at(share));
  const watched = (performance.now() - begin) / 1000;
  const { pictures, scores } = looks;
  const best = scores.length > 0 ? scores.indexOf(Math.max(...scores)) : mostToSee(pictures);
  const sound = session.viewer.binary.filter(message => message[0] === MessageType.audio);
  const trial = {
    ended: session.ended ?? (session.hasRun ? null : HUNG),
    hasRun: session.hasRun,
    restarts: session.restarts,
    contents: pictures.map(contentOf),
    moved: Math.max(0, ...pictures.slice(1).map((picture, i) => difference(pictures[i] ?? picture, picture))),
    fps: (session.viewer.frames.length - framesBefore) / watched,
    peak: await peakOf(sound),
    similarity: reference === null ? null : Math.max(0, ...scores),
    report: await firstReport(reader, [looks.shots.at(-1), looks.shots[best]]),
  };
  return { trial, picture: looks.shots[best] ?? null };
}

/** The report of the first picture that has one. */
async function firstReport(reader: Reader, shots: readonly (Buffer | undefined)[]): Promise<Report | null> {
  for (const shot of new Set(shots)) {
    const report = shot === undefined ? null : await reader.read(shot);
    if (report !== null) return report;
  }
  return null;
}

/** The picture with the most content. */
function mostToSee(pictures: readonly Picture[]): number {
  const shares = pictures.map(picture => contentOf(picture).share);
  return shares.indexOf(Math.max(...shares));
}
