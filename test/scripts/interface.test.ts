import { readFile } from 'node:fs/promises';
import t from 'tap';
import { TAB_EVENTS, TAB_METHODS } from '../../src/protocol/tabs.js';
import { schemas } from '../../src/protocol/generated/schemas.js';
import { errorTable } from '../../src/server/model/errors.js';
import { openApiDocument } from '../../src/server/http/openapi/document.js';
import { operations } from '../../src/server/http/operations/index.js';
import { fieldsOf, type Schema } from '../../src/server/http/openapi/page/fields.js';

const page = await readFile('docs/interface.md', 'utf8');
const rows = [...page.matchAll(/^\| (?!what \|)(.*?) \| (.*) \|$/gm)].map(([, what = '', proof = '']) => ({
  what,
  proof,
}));
const names = new Set([...page.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? ''));

/** The names of tests that a file has, as they are written in it. */
async function testsOf(path: string): Promise<string[]> {
  const source = await readFile(path, 'utf8');
  return [
    ...source.matchAll(/(?:\.test\(|name: )\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g),
  ].map(match => match[1] ?? match[2] ?? match[3] ?? '');
}

t.test('every row has a proof, and every proof is a test that exists', async t => {
  t.ok(rows.length > 50);
  for (const { what, proof } of rows) {
    for (const each of proof.split('<br>')) {
      const [, label, file, name = ''] = /^\[([^\]]+)\]\(\.\.\/(test\/[^)]+\.test\.ts)\) (.+)$/.exec(each) ?? [];
      if (file === undefined) t.fail(`${what}: ${each}`);
      else {
        t.equal(file, `test/${label}.test.ts`);
        const tests = await testsOf(file).catch((): string[] => []);
        t.ok(tests.includes(name), `${what}: ${file} has "${name}"`);
      }
    }
  }
});

t.test('every error is named in a file of its proof', async t => {
  const errors = /^## Errors$([^]*?)^## /m.exec(page)?.[1] ?? '';
  const proofs = [...errors.matchAll(/^\| (`.*?) \| (.*) \|$/gm)];
  t.ok(proofs.length > 30);
  for (const [, what = '', proof = ''] of proofs) {
    const files = [...proof.matchAll(/\(\.\.\/(test\/[^)]+)\)/g)].map(([, file = '']) => readFile(file, 'utf8'));
    const text = (await Promise.all(files)).join('\n');
    for (const [, code = ''] of what.matchAll(/`(\w+)`/g)) t.ok(new RegExp(`\\b${code}\\b`).test(text), code);
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
