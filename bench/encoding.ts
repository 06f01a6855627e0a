/**
 * What parameters of x264 gain: bytes, PSNR, SSIM and processor time per frame of recorded pages, encoded as the
 * display helper does but for the parameters named. Arguments choose pages and a size: `film 1920x1080`. Needs the
 * tools that images/base/display is built with, which come in an image.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildImage, docker } from '../test/fixtures/engines/docker.js';
import { record } from './lib/recording.js';
import { showLoad, table } from './lib/report.js';
import { bench, type Scope } from './lib/scope.js';

const FRAMES = 30;
const PAGES = ['motion', 'film', 'text', 'text#typing'];
/** Quantizers between which the bytes at a wanted PSNR are interpolated. */
const QUANTIZERS = [25, 29] as const;
const OLD = ['cabac=0', 'no-deblock=1', 'subme=0', 'hints=0'];

/** The compared parameters: first those that led to the current ones, one after the other, then candidates. */
const VARIANTS: readonly { name: string; settings: readonly string[] }[] = [
  { name: 'Baseline, quantizer 25', settings: [...OLD, 'crf=25'] },
  { name: 'quantizer 27', settings: OLD },
  { name: '+ CABAC', settings: OLD.slice(1) },
  { name: '+ deblocking', settings: OLD.slice(2) },
  { name: '+ subme=1', settings: OLD.slice(3) },
  { name: '+ hints: as it is', settings: [] },
  { name: 'without CABAC', settings: ['cabac=0'] },
  { name: 'without deblocking', settings: ['no-deblock=1'] },
  { name: 'without subme=1', settings: ['subme=0'] },
  { name: 'one slice', settings: ['threads=1'] },
  { name: 'aq-mode=1', settings: ['aq-mode=1'] },
  { name: '8x8dct', settings: ['8x8dct=1'] },
  { name: 'partitions', settings: ['partitions=p8x8,i4x4'] },
  { name: 'me=hex, subme=2', settings: ['me=hex', 'subme=2'] },
  { name: 'ref=2', settings: ['ref=2'] },
  { name: 'weightp=1', settings: ['weightp=1'] },
  { name: 'trellis=1', settings: ['trellis=1'] },
];

/** Averages of a frame. */
interface Quality {
  bytes: number;
  psnr: number;
  ssim: number;
  milliseconds: number;
}

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const size = process.argv.find(argument => /^\d+x\d+$/.test(argument)) ?? '1280x720';
const [width = 0, height = 0] = size.split('x').map(Number);
const chosen = PAGES.filter(page => process.argv.includes(page));

await bench(`Parameters of x264, ${FRAMES} frames at ${size}`, async scope => {
  const folder = await mkdtemp(join(tmpdir(), 'berth-bench-'));
  scope.teardown(() => rm(folder, { recursive: true }));
  const encode = await startEncoder(scope, folder);
  for (const page of chosen.length > 0 ? chosen : PAGES) {
    await record(scope, { page, width, height, frames: FRAMES }, join(folder, 'frames'));
    if ((await stat(join(folder, 'frames'))).size !== FRAMES * width * height * 4)
      throw new Error('frames are missing');
    showLoad();
    await compare(page, encode);
  }
});

type Encode = (settings: readonly string[]) => Promise<Quality>;

/** Compiles the encoder in a container that sees a folder's frames. */
async function startEncoder(scope: Scope, folder: string): Promise<Encode> {
  const image = await buildImage('--target', 'build', '-f', 'images/base/display/Dockerfile', 'images/base');
  const container = `berth-bench-encoding-${process.pid}`;
  await cp(join(root, 'images/base/display'), folder, { recursive: true });
  await cp(join(root, 'bench/encoding'), folder, { recursive: true });
  scope.teardown(() => docker('rm', '-f', container));
  const mount = `${folder}:/bench`;
  await docker(
    'run',
    '-d',
    '--init',
    '--name',
    container,
    '--network',
    'none',
    '-v',
    mount,
    '-w',
    '/bench',
    image,
    'sleep',
    'infinity',
  );
  const sources = ['encode.c', 'capture/picture.c', 'encode/quality.c'];
  await docker('exec', container, 'gcc', '-O2', '-D_GNU_SOURCE', '-I.', '-o', '/encode', ...sources, '-lx264', '-lyuv');
  return async settings => {
    const sizes = [String(width), String(height)];
    const { stdout } = await run('docker', ['exec', container, '/encode', 'frames', ...sizes, ...settings]);
    const [bytes = 0, psnr = 0, ssim = 0, milliseconds = 0] = stdout.split(' ').map(Number);
    return { bytes, psnr, ssim, milliseconds };
  };
}

async function compare(page: string, encode: Encode): Promise<void> {
  const wanted = (await encode([])).psnr;
  const rows: string[][] = [];
  for (const { name, settings } of VARIANTS) {
    const own = await encode(settings);
    const [fine, rough] = QUANTIZERS.map(quantizer => encode([...settings, `crf=${quantizer}`, 'timed=0']));
    const equal = bytesAt(wanted, await fine!, await rough!);
    rows.push([
      name,
      (own.bytes / 1e3).toFixed(2),
      own.psnr.toFixed(2),
      own.ssim.toFixed(4),
      own.milliseconds.toFixed(2),
      (equal / 1e3).toFixed(2),
    ]);
  }
  console.log(`${page}, per frame`);
  table([['', 'kB', 'PSNR', 'SSIM', 'CPU ms', 'kB at equal PSNR'], ...rows]);
}

/** Bytes at a PSNR, on the straight line through two results: their logarithm grows evenly with it. */
function bytesAt(psnr: number, a: Quality, b: Quality): number {
  const part = (psnr - a.psnr) / (b.psnr - a.psnr);
  return Math.exp(Math.log(a.bytes) + part * Math.log(b.bytes / a.bytes));
}
