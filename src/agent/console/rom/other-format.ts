import type { ConsoleKind } from '../../../protocol/generated/schemas.js';
import { hasSnesHeader } from './cartridge-snes.js';

/** What a file surely is, by how it begins. */
interface Format {
  /** In words, after "it is". */
  readonly is: string;
  readonly matches: (head: Buffer) => boolean;
  /** The console that may play it. */
  readonly kind?: ConsoleKind;
}

const bytes = (is: string, expected: Buffer, at = 0): Format => ({
  is,
  matches: head => head.subarray(at, at + expected.length).equals(expected),
});
const text = (is: string, expected: string, at = 0): Format => bytes(is, Buffer.from(expected, 'latin1'), at);
const hex = (is: string, expected: string): Format => bytes(is, Buffer.from(expected, 'hex'));
const of = (kind: ConsoleKind, ...formats: Format[]): Format[] => formats.map(format => ({ ...format, kind }));

/** Where the 17th sector of a disc, with data only or raw, has the name of the console. */
const SYSTEM = { data: 0x8008, raw: 16 * 2352 + 24 + 8 };

/** Texts in most languages are so much ASCII; tables of pictures, which have no zeros either, are not. */
const ASCII_SHARE = 0.6;

const WEB_PAGE = /^[\s\xef\xbb\xbf]*<(!doctype html|html)\b/i;

/** What says more stands before what says less. */
const FORMATS: readonly Format[] = [
  text('an archive', 'PK\x03\x04'),
  text('an archive', 'PK\x05\x06'),
  text('an archive', 'Rar!\x1a\x07'),
  text('an archive', 'ustar', 257),
  text('an archive', 'BZh'),
  hex('an archive', '377abcaf271c'),
  hex('an archive', '1f8b08'),
  hex('an archive', 'fd377a585a00'),
  hex('an archive', '28b52ffd'),
  hex('a picture', '89504e470d0a1a0a'),
  hex('a picture', 'ffd8ff'),
  text('a picture', 'GIF8'),
  text('a picture or sound', 'RIFF'),
  text('a sound', 'OggS'),
  text('a sound', 'ID3'),
  text('a sound', 'SNES-SPC700 Sound File Data'),
  text('a film', 'ftyp', 4),
  text('a document', '%PDF-'),
  text('a patch', 'PATCH'),
  text('a patch', 'BPS1'),
  text('a program for computers', '\x7fELF'),
  ...of(
    'ps1',
    text('a program for the ps1', 'PS-X EXE'),
    text('a game for the ps1', 'PLAYSTATION', SYSTEM.data),
    text('a game for the ps1', 'PLAYSTATION', SYSTEM.raw),
    text('a disc', 'MComprHD'),
    text('a disc', 'CD001', 0x8001),
    hex('a disc', '00ffffffffffffffffffff00'),
  ),
  ...of('nes', text('a game for the nes', 'NES\x1a')),
  ...of(
    'n64',
    hex('a game for the n64', '80371240'),
    hex('a game for the n64', '37804012'),
    hex('a game for the n64', '40123780'),
    hex('a game for the n64', '12408037'),
  ),
  { is: 'a program for computers', matches: isWindowsProgram },
  { is: 'empty', matches: head => head.every(byte => byte === head[0]) },
  { is: 'a web page', matches: head => isText(head) && WEB_PAGE.test(head.toString('latin1', 0, 1024)) },
  { is: 'a text', matches: isText },
  ...of('snes', { is: 'a game for the snes', matches: hasSnesHeader }),
];

/** What a file surely is instead of a game for a console, in words after "it is"; null where it may be one. */
export function otherFormat(kind: ConsoleKind, head: Buffer): string | null {
  const format = FORMATS.find(({ matches }) => matches(head));
  return format === undefined || format.kind === kind ? null : format.is;
}

function isWindowsProgram(head: Buffer): boolean {
  if (head.toString('latin1', 0, 2) !== 'MZ' || head.length < 0x40) return false;
  const at = head.readUInt32LE(0x3c);
  return head.toString('latin1', at, at + 4) === 'PE\0\0';
}

/** Of any encoding that is made of bytes. Code for a processor has others within a few instructions. */
function isText(head: Buffer): boolean {
  if (!head.every(byte => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d))) return false;
  return head.filter(byte => byte < 0x7f).length >= ASCII_SHARE * head.length;
}
