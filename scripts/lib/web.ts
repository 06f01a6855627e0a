import { build, type BuildOptions } from 'esbuild';
import { cp, mkdir } from 'node:fs/promises';
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
  await Promise.all([
    build({
      ...options,
      outdir,
      splitting: true,
      entryPoints: { player: 'src/web/player/main.ts', sdk: 'src/web/sdk/index.ts' },
      chunkNames: 'chunk-[hash]',
    }),
    // Browsers load a worklet into a world of its own: it shares no chunk with the page.
    build({ ...options, outdir, entryPoints: { 'audio-worklet': 'src/web/player/audio/worklet.ts' } }),
    cp(`${root}src/web/static`, outdir, { recursive: true }),
  ]);
}
