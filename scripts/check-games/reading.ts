import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { encode } from 'fast-png';
import { createWorker, PSM, type Worker } from 'tesseract.js';
import { colours, readPng, type Picture } from './picture.js';

/** How often a program's text says that a test passed or failed. */
export interface Report {
  readonly passed: number;
  readonly failed: number;
}

/** The words of a text that tell the result of a test; null if there are none. */
export function reportIn(text: string): Report | null {
  const count = (word: RegExp) => text.match(word)?.length ?? 0;
  const [passed, failed] = [count(/\bpass(ed)?\b/gi), count(/\bfail(ed)?\b/gi)];
  return passed + failed > 0 ? { passed, failed } : null;
}

/** Consoles' letters are too small for the recognition. */
const SCALE = 2;

/** The picture in black on white, PNG: how much each pixel differs from the background, enlarged. */
function contrasting(picture: Picture): Buffer {
  const { width, height } = picture;
  const background = colours(picture).dominant;
  const data = new Uint8Array(width * SCALE * height * SCALE);
  for (let y = 0; y < height * SCALE; y++) {
    for (let x = 0; x < width * SCALE; x++) {
      const at = (Math.floor(y / SCALE) * width + Math.floor(x / SCALE)) * 3;
      const differences = background.map((level, channel) => Math.abs((picture.data[at + channel] ?? 0) - level));
      data[y * width * SCALE + x] = 255 - Math.max(...differences);
    }
  }
  return Buffer.from(encode({ width: width * SCALE, height: height * SCALE, data, channels: 1, depth: 8 }));
}

const LANGUAGE = { name: 'eng', package: '@tesseract.js-data/eng' };

/** Reads programs' reports from their pictures. */
export class Reader {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Loads what it needs, all of it from installed packages. */
  static async open(): Promise<Reader> {
    const data = createRequire(import.meta.url).resolve(`${LANGUAGE.package}/package.json`);
    const worker = await createWorker(LANGUAGE.name, undefined, {
      langPath: join(dirname(data), '4.0.0_best_int'),
      cacheMethod: 'none',
    });
    await worker.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_BLOCK });
    return new Reader(worker);
  }

  /** The report in a picture, PNG; null if none is readable. */
  async read(picture: Buffer): Promise<Report | null> {
    const { data } = await this.#worker.recognize(contrasting(readPng(picture)));
    return reportIn(data.text);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
