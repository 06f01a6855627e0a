import { setTimeout as sleep } from 'node:timers/promises';
import { MessageType } from '../../src/protocol/message-type.js';
import { encodePad, PadButton } from '../../src/protocol/pad.js';
import type { Service } from '../../test/fixtures/service.js';
import { SIMILAR, similarity } from './similarity.js';
import { contentOf, difference } from './content.js';
import { readPng, type Picture } from './picture.js';
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

/** When pictures are taken in any case: shares of the time. Buttons are pressed after the first half. */
const UNTOUCHED = [0.25, 0.4, 0.55];
const TOUCHED = [0.8, 1];
/** And how often while none is like the reference picture, which may show any moment of the program. */
const SEARCH_EVERY_MS = 1000;
const PRESSED = ['start', 'a', 'b', 'right', 'down'] as const;
const HOLD_MS = 100;

const RUNS_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;

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
  const deadline = performance.now() + RUNS_WITHIN_MS;
  while (!session.hasRun && session.ended === null && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
  const begin = performance.now();
  const framesBefore = session.viewer.frames.length;
  const looks = new Looks(session, reference);
  const at = (share: number) => begin + share * seconds * 1000;
  for (const share of UNTOUCHED) await looks.until(at(share));
  const pressing = session.ended === null ? press(session) : undefined;
  for (const share of TOUCHED) await looks.until(at(share));
  await pressing;
  const watched = (performance.now() - begin) / 1000;
  const { pictures, scores } = looks;
  const best = scores.length > 0 ? scores.indexOf(Math.max(...scores)) : mostToSee(pictures);
  const sound = session.viewer.binary.filter(message => message[0] === MessageType.audio);
  const trial = {
    ended: session.ended ?? (session.hasRun ? null : { reason: 'silent', message: 'Its emulator did not start.' }),
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

/** The pictures taken of a session. */
class Looks {
  readonly #session: GameSession;
  readonly #reference: Picture | null;
  readonly shots: Buffer[] = [];
  readonly pictures: Picture[] = [];
  /** Their similarities to the reference picture, if there is one. */
  readonly scores: number[] = [];

  constructor(session: GameSession, reference: Picture | null) {
    this.#session = session;
    this.#reference = reference;
  }

  /** Takes a picture at `end`, and until then while none is like the reference; none once the session has ended. */
  async until(end: number): Promise<void> {
    for (let next = performance.now() + SEARCH_EVERY_MS; next < end; next += SEARCH_EVERY_MS) {
      if (!(await this.#wait(next))) return;
      if (this.#reference !== null && !this.scores.some(score => score >= SIMILAR)) await this.#take();
    }
    if (await this.#wait(end)) await this.#take();
  }

  /** Waits until a time; false if the session ended before. */
  async #wait(end: number): Promise<boolean> {
    while (performance.now() < end && this.#session.ended === null) {
      await sleep(Math.max(0, Math.min(LOOK_EVERY_MS, end - performance.now())));
    }
    return this.#session.ended === null;
  }

  async #take(): Promise<void> {
    const shot = await this.#session.screenshot().catch(() => null);
    if (shot === null) return;
    const picture = readPng(shot);
    this.shots.push(shot);
    this.pictures.push(picture);
    if (this.#reference !== null) this.scores.push(similarity(picture, this.#reference));
  }
}

async function press({ viewer }: GameSession): Promise<void> {
  for (const button of PRESSED) {
    for (const down of [true, false]) {
      viewer.send(encodePad({ type: 'pad', player: 0, control: 'button', id: PadButton[button], down }));
      await sleep(HOLD_MS);
    }
  }
}
