import type { Report } from './reading.js';
import { hasMoved, VERDICTS, type Result } from './result.js';

/** The details of a program next to its verdict. */
export function note(result: Result): string {
  const { similarity, notCompared, fps, peak, restarts, again, report } = result;
  return [
    similarity === null ? '' : `alike ${similarity.toFixed(2)}`,
    notCompared === undefined ? '' : `not compared with ${notCompared}`,
    hasMoved(result) ? 'moves' : 'still',
    `${fps.toFixed(0)}/s`,
    peak > 0 ? 'sound' : '',
    restarts > 0 ? `restarts ${restarts}` : '',
    again ? 'at the second try' : '',
    report == null ? '' : `says: ${words(report)}`,
  ]
    .filter(Boolean)
    .join(' ');
}

const words = ({ passed, failed }: Report) =>
  [passed > 0 ? `${passed} passed` : '', failed > 0 ? `${failed} failed` : ''].filter(Boolean).join(', ');

/** A line for one program. */
export function line(result: Result): string {
  const { name, verdict, ended } = result;
  const details =
    ended === null ? note(result) : [ended.reason, ended.message].filter(each => each !== verdict).join(': ');
  return `${verdict.padEnd(8)} ${name}  ${details}`;
}

/**
 * How many programs of each console play, as a table; the last columns count those whose text reports only passed tests,
 * and those that report a failed one.
 */
export function summary(results: readonly Result[]): string {
  const types = [...new Set(results.map(({ type }) => type))].sort();
  const rows = types.map(type => {
    const of = results.filter(each => each.type === type);
    const counts = VERDICTS.map(verdict => of.filter(each => each.verdict === verdict).length);
    const failed = of.filter(({ report }) => report && report.failed > 0).length;
    const passed = of.filter(({ report }) => report).length - failed;
    const share = `${((100 * (counts[0] ?? 0)) / of.length).toFixed(1)} %`;
    return [type, String(of.length), ...counts.map(String), share, String(passed), String(failed)];
  });
  return [['', 'programs', ...VERDICTS, 'play', 'passed', 'failed'], ...rows]
    .map(cells => cells.map((cell, i) => (i === 0 ? cell.padEnd(5) : cell.padStart(9))).join(''))
    .join('\n');
}
