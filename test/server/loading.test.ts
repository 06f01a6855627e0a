/** What a service loads when it starts: loading takes most of the time that a start takes. */
import { build, type Metafile } from 'esbuild';
import t from 'tap';

const ENTRY = 'src/server/main.ts';

/** Packages that are loaded with a module, not only when they are needed. */
function loadedWith(entry: string, { inputs }: Metafile): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind === 'dynamic-import') continue;
      if (external) packages.add(path);
      else visit(path);
    }
  };
  visit(entry);
  return packages;
}

t.test('what only some engines, databases and stores of profiles need is loaded only for them', async t => {
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'silent' } as const;
  const { metafile } = await build({ ...options, entryPoints: [ENTRY], write: false, metafile: true, outdir: 'dist' });
  const packages = loadedWith(ENTRY, metafile);
  t.ok(packages.has('express'), 'every service has a server');
  for (const name of ['dockerode', '@kubernetes/client-node', 'pg', '@aws-sdk/client-s3']) {
    const loaded = [...packages].filter(path => path === name || path.startsWith(`${name}/`));
    t.same(loaded, [], name);
  }
});
