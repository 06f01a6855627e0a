import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import ts from 'typescript';

/** The blocks of a language in a page. */
const blocks = (page: string, language: string) =>
  [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, tongue, code = '']) =>
    tongue === language ? [code] : [],
  );

/** What TypeScript says against a module that imports the package, whose file has this name. */
function problems(code: string, name = 'examples-in-docs.mts'): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node', 'dom-webcodecs'],
    jsx: ts.JsxEmit.ReactJSX,
    paths: {
      'berth/client': ['./src/client/index.ts'],
      'berth/web': ['./src/web/sdk/index.ts'],
      'berth/react': ['./src/web/react/index.ts'],
    },
  };
  const file = join(process.cwd(), name);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = path => path === file || fileExists(path);
  host.getSourceFile = (path, ...more) =>
    path === file ? ts.createSourceFile(path, code, ts.ScriptTarget.ES2023) : getSourceFile(path, ...more);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program, program.getSourceFile(file)).map(({ messageText, start = 0 }) => {
    const line = code.slice(0, start).split('\n').length;
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

t.test('the examples of the Node.js client are one module that compiles', async t => {
  const code = blocks(await readFile('docs/how-to/node.md', 'utf8'), 'ts');
  t.ok(code.length > 4, `${code.length} blocks`);
  t.same(problems(code.join('\n')), []);
  t.match(problems('void undefinedName;'), ["1: Cannot find name 'undefinedName'."], 'it would be noticed');
});

t.test("the examples of the npm package's modules compile", async t => {
  for (const [page, language] of [
    ['client', 'ts'],
    ['web', 'ts'],
    ['react', 'tsx'],
  ] as const) {
    const code = blocks(await readFile(`docs/package/${page}.md`, 'utf8'), language);
    t.ok(code.length > 0, page);
    const given = page === 'web' ? ['declare const embedURL: string;'] : [];
    t.same(problems([...code, ...given].join('\n'), language === 'tsx' ? 'examples-in-docs.tsx' : undefined), [], page);
  }
});
