/** The number of characters erased at the end of a text, and the text typed after that. */
export interface TextChange {
  erased: number;
  typed: string;
}

/** The change from one state of an input element to the next, both counted in characters. */
export function textChange(before: string, after: string): TextChange {
  const [old, now] = [Array.from(before), Array.from(after)];
  let same = 0;
  while (same < old.length && same < now.length && old[same] === now[same]) same++;
  return { erased: old.length - same, typed: now.slice(same).join('') };
}

/** Splits text into pieces of at most `maxBytes` of UTF-8, at character boundaries. */
export function splitText(text: string, maxBytes: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const character of text) {
    const length = new TextEncoder().encode(character).length;
    if (bytes + length > maxBytes) {
      pieces.push(piece);
      piece = '';
      bytes = 0;
    }
    piece += character;
    bytes += length;
  }
  return piece === '' ? pieces : [...pieces, piece];
}
