import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RomProblem } from './problem.js';

const TEXT_MAX_BYTES = 64 << 10;

/** The cue sheet of a disc that came as its one data track. */
export const cueSheet = (file: string) => `FILE "${file}" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n`;

/** A line of a cue sheet that names a file; it looks at each character once, whatever the sheet holds. */
const FILE_LINE = /^[^\S\r\n]*FILE[^\S\r\n]+(?:"([^"\r\n]+)"|(\S+))/gim;

/** The files that a cue sheet or playlist names. */
export function namedFiles(extension: 'cue' | 'm3u', text: string): string[] {
  if (extension === 'cue') return [...text.matchAll(FILE_LINE)].map(match => match[1] ?? match[2] ?? '');
  return text.split(/\r?\n/).map(line => line.trim()).filter(line => line !== '' && !line.startsWith('#'));
}

/**
 * Checks that what a cue sheet or playlist names is there, whatever the case of its letters, and writes it anew with
 * the names as they are to `target`, in the same folder.
 * @throws RomProblem
 */
export async function rewriteSheet(path: string, target: string, extension: 'cue' | 'm3u', paths: readonly string[]): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length > TEXT_MAX_BYTES) throw new RomProblem(`The .${extension} file is too large to be one.`);
  let text = bytes.toString('utf8');
  const files = namedFiles(extension, text);
  if (files.length === 0) throw new RomProblem(`The .${extension} file names no files.`);
  const beside = new Map(paths.filter(each => dirname(each) === dirname(path)).map(each => [basename(each).toLowerCase(), basename(each)]));
  for (const file of files) {
    const found = beside.get(file.toLowerCase());
    if (found === undefined) throw new RomProblem(`The .${extension} file names "${basename(file)}", which is not beside it.`);
    text = text.replace(file, () => found);
  }
  await writeFile(join(dirname(path), target), text);
}
