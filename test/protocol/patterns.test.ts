import { readdir } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import t from 'tap';

/** Longest time that a pattern may take for 200,000 characters, milliseconds. */
const MAX_MS = 500;

const PIECES = [
  ...['a', 'A', '0', '-', '_', '.', ' ', ',', ';', '!', '{', '\t', '\n', '\u00e9'],
  ...['a ', 'a  ', ' a', 'a,', 'a ,', 'a  ,', 'a-', 'a-a', ';q=1', 'a;q=1', 'a ;q=0.5 ,', '{searchTerms', 'a\n'],
];

/** All patterns of a schema. */
function patternsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'pattern' in schema && typeof schema.pattern === 'string' ? [schema.pattern] : [];
  return [...own, ...Object.values(schema).flatMap(patternsOf)];
}

t.test('no pattern of the schemas is slow, whatever it is matched against', async t => {
  const files = (await readdir('schemas')).filter(name => name.endsWith('.json'));
  const found = files.flatMap(file => patternsOf(JSON.parse(readFileSync(`schemas/${file}`, 'utf8'))));
  t.ok(found.length > 5, `${found.length} patterns`);
  for (const pattern of new Set(found)) {
    const expression = new RegExp(pattern, 'u');
    for (const piece of PIECES) {
      // The short one first: where the time is exponential, the long one would never end.
      for (const length of [100, 200_000]) {
        const begun = process.cpuUsage();
        expression.test(`${piece.repeat(length / piece.length)}!`);
        const { user } = process.cpuUsage(begun);
        if (user / 1000 > MAX_MS)
          t.fail(`${pattern} takes ${user / 1000} ms for ${length} characters of ${JSON.stringify(piece)}`);
      }
    }
  }
});
