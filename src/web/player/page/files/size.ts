import { pageLanguage, say } from '../../../languages/page.js';

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a number of bytes for people: `820 B`, `1.4 MB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  if (power === 0) return say('bytes', { count: bytes });
  const value = bytes / 1000 ** power;
  const digits = value >= 100 ? 0 : 1;
  return new Intl.NumberFormat(pageLanguage(), {
    style: 'unit',
    useGrouping: false,
    unit: UNITS[power - 1] ?? 'terabyte',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** Describes a set of files: the name of a single one, or their number. */
export function filesText(files: readonly { name: string }[]): string {
  const [first] = files;
  return first !== undefined && files.length === 1 ? first.name : say('fileCount', { count: files.length });
}
