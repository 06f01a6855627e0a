import { encode } from 'fast-png';
import { CHARACTER, isSet } from './font.js';
import { readPng, scaled, type Picture } from './picture.js';
import type { Verdict } from './result.js';

/** A program on the contact sheet; without a picture its place stays empty. */
export interface Entry {
  readonly name: string;
  readonly verdict: Verdict;
  readonly note: string;
  readonly picture: Buffer | null;
}

const COLUMNS = 6;
const THUMB = { width: 200, height: 150 };
const PADDING = 6;
const LINES = 3;
const CELL = { width: THUMB.width + 2 * PADDING, height: THUMB.height + 2 * PADDING + LINES * (CHARACTER.height + 2) };
const LINE_CHARACTERS = Math.floor(THUMB.width / CHARACTER.width);

const BACKGROUND = [32, 32, 36];
const TEXT = [220, 220, 220];
const GOOD = [90, 210, 110];
const BAD = [240, 110, 90];

/** All programs in one picture, PNG, each with its name and verdict below it. */
export function contactSheet(entries: readonly Entry[]): Uint8Array {
  const width = COLUMNS * CELL.width;
  const height = Math.max(1, Math.ceil(entries.length / COLUMNS)) * CELL.height;
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < data.length; at += 3) data.set(BACKGROUND, at);
  const sheet = { width, height, data };
  entries.forEach((entry, i) => {
    const left = (i % COLUMNS) * CELL.width + PADDING;
    const top = Math.floor(i / COLUMNS) * CELL.height + PADDING;
    if (entry.picture !== null) draw(sheet, scaled(readPng(entry.picture), THUMB.width, THUMB.height), left, top);
    const lines = [
      // The end of a path distinguishes programs.
      entry.name.slice(-2 * LINE_CHARACTERS, -LINE_CHARACTERS),
      entry.name.slice(-LINE_CHARACTERS),
      `${entry.verdict} ${entry.note}`,
    ];
    lines.forEach((line, row) => {
      const y = top + THUMB.height + 2 + row * (CHARACTER.height + 2);
      const colour = row < 2 ? TEXT : entry.verdict === 'plays' ? GOOD : BAD;
      write(sheet, line.slice(0, LINE_CHARACTERS), left, y, colour);
    });
  });
  return encode({ width, height, data, channels: 3, depth: 8 });
}

function draw(sheet: Picture, { width, height, data }: Picture, left: number, top: number): void {
  for (let y = 0; y < height; y++) {
    sheet.data.set(data.subarray(y * width * 3, (y + 1) * width * 3), ((top + y) * sheet.width + left) * 3);
  }
}

function write(sheet: Picture, text: string, left: number, top: number, colour: readonly number[]): void {
  for (let y = 0; y < CHARACTER.height; y++) {
    for (let x = 0; x < text.length * CHARACTER.width; x++) {
      if (isSet(text, x, y)) sheet.data.set(colour, ((top + y) * sheet.width + left + x) * 3);
    }
  }
}
