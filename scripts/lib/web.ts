import { build, type BuildOptions, type Plugin } from 'esbuild';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ENGLISH } from '../../src/web/languages/english.js';
import { TABLES } from '../../src/web/languages/tables/index.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const STATIC = `${root}src/web/static`;

/** Pages that say in every language that they need JavaScript, without which they cannot choose one. */
const PAGES = ['home.html', 'player.html'];

const WORKLET = 'src/web/media/audio/worklet.ts';

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

/** The React module uses the SDK's, beside it in the npm package: an application that imports both has it once. */
const sdkBeside: Plugin = {
  name: 'sdk-beside',
  setup({ onResolve }) {
    onResolve({ filter: /\/sdk\/index\.js$/ }, () => ({ path: './web/sdk.js', external: true }));
  },
};

/** Bundles the React component and hook into a file, without React itself. */
export async function buildReact(outfile: string): Promise<void> {
  await build({
    ...options,
    outfile,
    entryPoints: ['src/web/react/index.ts'],
    external: ['react'],
    plugins: [sdkBeside],
    minify: false,
    // Where components are rendered on a server by default, these are not.
    banner: { js: "'use client';" },
  });
}

/** Bundles the pages, the SDK and their static files into a folder. */
export async function buildWeb(outdir: string): Promise<void> {
  await mkdir(`${outdir}/languages`, { recursive: true });
  const worklet = await build({ ...options, entryPoints: [WORKLET], sourcemap: false, write: false });
  await Promise.all([
    // Each becomes one file. The SDK loads the last two from its service when there is audio.
    build({
      ...options,
      outdir,
      entryPoints: {
        home: 'src/web/home/main.ts',
        player: 'src/web/player/main.ts',
        sdk: 'src/web/sdk/index.ts',
        'audio-worklet': WORKLET,
        'opus-decoder': 'opus-decoder',
      },
    }),
    // The hosted service's client runs its module from memory: everything is in it, and it has no address for a map.
    build({
      ...options,
      outdir,
      entryPoints: { hosted: 'src/web/hosted/main.ts' },
      sourcemap: false,
      define: { AUDIO_WORKLET: JSON.stringify(worklet.outputFiles[0]?.text) },
    }),
    copyStatic(outdir),
    // English is in each bundle.
    ...Object.entries(TABLES).map(([language, table]) =>
      writeFile(`${outdir}/languages/${language}.json`, JSON.stringify(table)),
    ),
  ]);
}

async function copyStatic(outdir: string): Promise<void> {
  await cp(STATIC, outdir, { recursive: true });
  const sentences = Object.entries({ en: ENGLISH, ...TABLES }).map(
    ([language, { needsScript }]) => `<p lang="${language}" dir="auto">${needsScript}</p>`,
  );
  for (const page of PAGES) {
    const html = await readFile(`${STATIC}/${page}`, 'utf8');
    await writeFile(`${outdir}/${page}`, html.replace('<noscript>', `$&${sentences.join('')}`));
  }
}
