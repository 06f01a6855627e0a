const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A number of bytes as people read it: `820 B`, `1.4 MB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** What a set of files is called: the one's name, or how many they are. */
export function filesText(files: readonly { name: string }[]): string {
  const [first] = files;
  return first !== undefined && files.length === 1 ? first.name : `${files.length} files`;
}
