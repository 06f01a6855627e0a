import { build, type BuildOptions } from 'esbuild';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const options: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome94', 'firefox115', 'safari16'],
  minify: true,
  sourcemap: true,
  logLevel: 'warning',
  legalComments: 'none',
};

/** Bundles the player, the SDK and their static files into a folder. */
export async function buildWeb(outdir: string): Promise<void> {
  await mkdir(outdir, { recursive: true });
  const [{ metafile }] = await Promise.all([
    build({
      ...options,
      outdir,
      splitting: true,
      metafile: true,
      entryPoints: { player: 'src/web/player/main.ts', sdk: 'src/web/sdk/index.ts' },
      chunkNames: 'chunk-[hash]',
    }),
    // Browsers load a worklet into a world of its own: it shares no chunk with the page.
    build({ ...options, outdir, entryPoints: { 'audio-worklet': 'src/web/player/audio/worklet.ts' } }),
    cp(`${root}src/web/static`, outdir, { recursive: true }),
  ]);
  const made = new Set(Object.keys(metafile.outputs).map(path => basename(path)));
  const old = (await readdir(outdir)).filter(name => name.startsWith('chunk-') && !made.has(name));
  await Promise.all(old.map(name => rm(join(outdir, name), { force: true })));
}
