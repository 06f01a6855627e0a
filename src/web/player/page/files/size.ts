const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats a number of bytes for people: `820 B`, `1.4 MB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** Describes a set of files: the name of a single one, or their number. */
export function filesText(files: readonly { name: string }[]): string {
  const [first] = files;
  return first !== undefined && files.length === 1 ? first.name : `${files.length} files`;
}
