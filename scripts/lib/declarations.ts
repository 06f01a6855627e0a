import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const compilerOptions: ts.CompilerOptions = { declaration: true, isolatedDeclarations: true, target: ts.ScriptTarget.ES2023 };

/**
 * Writes `sdk.d.ts` into a folder: the types that `entry` exports, for packages. The files that they come from lie
 * beside it under `types/`.
 */
export async function writeDeclarations(entry: string, outdir: string): Promise<void> {
  const root = resolve(dirname(entry), '../..');
  const seen = new Set<string>();
  const write = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    const { outputText } = ts.transpileDeclaration(await readFile(file, 'utf8'), { fileName: file, compilerOptions });
    const target = join(outdir, 'types', relative(root, file).replace(/\.ts$/, '.d.ts'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, outputText);
    const imported = [...outputText.matchAll(/from '(\.[^']+)\.js'/g)];
    await Promise.all(imported.map(([, path]) => write(resolve(dirname(file), `${path}.ts`))));
  };
  await write(entry);
  await writeFile(join(outdir, 'sdk.d.ts'), "export * from './types/web/sdk/index.js';\nexport { default } from './types/web/sdk/index.js';\n");
}
