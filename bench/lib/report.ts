import { loadavg } from 'node:os';
import { median, quantile } from './statistics.js';

/** Prints a table; the first row is its header. */
export function table(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${cells.join('  ')}`.trimEnd());
  }
}

/** A table row: median, p90, best and number of some values. */
export function summary(name: string, values: readonly number[], digits = 1): string[] {
  const figures = [median(values), quantile(values, 0.9), quantile(values, 0)];
  return [name, ...figures.map(value => value.toFixed(digits)), String(values.length)];
}

export const SUMMARY_HEAD = (unit: string) => ['', `median ${unit}`, 'p90', 'best', 'n'];

/** Prints whether a result meets its goal. */
export function verdict(what: string, value: number, goal: { atMost: number } | { atLeast: number }, digits = 2): void {
  const [met, sign, limit] =
    'atMost' in goal ? [value <= goal.atMost, '≤', goal.atMost] : [value >= goal.atLeast, '≥', goal.atLeast];
  console.log(`${met ? 'met   ' : 'MISSED'} ${what}: ${value.toFixed(digits)}, goal ${sign} ${limit}`);
}

/** Prints the machine's load: results from a busy one mean little. */
export function showLoad(): void {
  console.log(
    `load of the machine: ${loadavg()
      .map(load => load.toFixed(2))
      .join(' ')}`,
  );
}
