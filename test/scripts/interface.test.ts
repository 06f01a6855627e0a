/** docs/reference/interface.md lists what the interface offers; test/interface.json names the tests that prove it. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { TAB_EVENTS, TAB_METHODS } from '../../src/protocol/tabs.js';
import { schemas } from '../../src/protocol/generated/schemas.js';
import { errorTable } from '../../src/server/model/errors.js';
import { openApiDocument } from '../../src/server/http/openapi/document.js';
import { operations } from '../../src/server/http/operations/index.js';
import { fieldsOf, type Schema } from '../../src/server/http/openapi/page/fields.js';

/** Titles of tests, by file, that prove one row of the page. */
type Proof = Readonly<Record<string, readonly string[]>>;

const page = await readFile('docs/reference/interface.md', 'utf8');
const proofs = JSON.parse(await readFile('test/interface.json', 'utf8')) as Record<string, Record<string, Proof>>;
const names = new Set([...page.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? ''));

/** The page's sections, each with its rows. */
function sections(): [string, string[]][] {
  return page
    .split(/^## /m)
    .slice(1)
    .map(section => [
      section.slice(0, section.indexOf('\n')),
      [...section.matchAll(/^- (.*)$/gm)].map(([, row = '']) => row),
    ]);
}

/** The names of tests that a file has, as they are written in it. */
async function testsOf(path: string): Promise<string[]> {
  const source = await readFile(path, 'utf8');
  return [
    ...source.matchAll(/(?:\.test\(|name: )\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g),
  ].map(match => match[1] ?? match[2] ?? match[3] ?? '');
}

t.test('the page and the proofs have the same rows', t => {
  t.same(
    sections(),
    Object.entries(proofs).map(([section, rows]) => [section, Object.keys(rows)]),
  );
  t.end();
});

t.test('every row has a proof, and every proof is a test that exists', async t => {
  const rows = Object.values(proofs).flatMap(section => Object.entries(section));
  t.ok(rows.length > 50);
  for (const [row, proof] of rows) {
    t.ok(Object.values(proof).flat().length > 0, row);
    for (const [file, titles] of Object.entries(proof)) {
      t.match(file, /^test\/.*\.test\.ts$/);
      const tests = await testsOf(file).catch((): string[] => []);
      for (const title of titles) t.ok(tests.includes(title), `${row}: ${file} has "${title}"`);
    }
  }
});

t.test('every error is named in a file of its proof', async t => {
  const errors = Object.entries(proofs['Errors'] ?? {});
  t.ok(errors.length > 30);
  for (const [row, proof] of errors) {
    const text = (await Promise.all(Object.keys(proof).map(file => readFile(file, 'utf8')))).join('\n');
    for (const [, code = ''] of row.matchAll(/`(\w+)`/g)) t.ok(new RegExp(`\\b${code}\\b`).test(text), code);
  }
});

t.test('every field of a start request has a row', async t => {
  const components = (openApiDocument('') as unknown as { components: { schemas: Record<string, Schema> } }).components
    .schemas;
  for (const { name } of fieldsOf(components['StartChromium'] ?? {}, components)) t.ok(names.has(name), name);
});

t.test('every call, error, role, permission and method of tabs is named', async t => {
  for (const { id, tag } of operations) if (tag !== 'Service') t.ok(names.has(id), id);
  for (const code of Object.keys(errorTable)) t.ok(names.has(code), code);
  for (const name of [...TAB_METHODS, ...TAB_EVENTS]) t.ok(names.has(name), name);
  const defs = (file: string) => (schemas[file] as { $defs: Record<string, Schema> }).$defs;
  for (const role of defs('start-common.json')['role']?.enum ?? []) t.ok(names.has(String(role)), String(role));
  for (const name of Object.keys(defs('viewer.json')['permissions']?.properties ?? {})) t.ok(names.has(name), name);
});
