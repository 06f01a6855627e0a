/** Weights of red, green and blue in luma (BT.601). */
const WEIGHTS = [0.299, 0.587, 0.114] as const;
/** PSNR of equal pictures, dB, which is infinite. */
const BEST_DB = 99;
/** Side of the squares that SSIM compares, and the distance between them, in pixels. */
const SQUARE = 8;
const STEP = 4;
/** Constants of SSIM for levels from 0 to 255. */
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** Four bytes a pixel, without gaps between rows. */
export interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array;
  /** Whether blue comes first instead of red. */
  isBlueFirst: boolean;
}

/** How much a picture is like another one. */
export interface Quality {
  /** Of luma, dB; `BEST_DB` if the pictures are equal. */
  psnr: number;
  /** Of luma, up to 1. */
  ssim: number;
}

/** Compares two pictures of the same size. */
export function compare(seen: Picture, truth: Picture): Quality {
  const { width, height } = truth;
  if (seen.width !== width || seen.height !== height) {
    throw new Error(`a picture of ${seen.width}x${seen.height} cannot be compared with one of ${width}x${height}`);
  }
  const [a, b] = [lumaOf(seen), lumaOf(truth)];
  const error = a.reduce((sum, level, i) => sum + (level - (b[i] ?? 0)) ** 2, 0) / a.length;
  return { psnr: Math.min(BEST_DB, 10 * Math.log10(255 ** 2 / error)), ssim: ssim(a, b, width, height) };
}

function lumaOf({ pixels, isBlueFirst }: Picture): Float64Array {
  const [red, green, blue] = WEIGHTS;
  const [first, last] = isBlueFirst ? [blue, red] : [red, blue];
  const luma = new Float64Array(pixels.length / 4);
  for (let i = 0; i < luma.length; i++) {
    const at = i * 4;
    luma[i] = (pixels[at] ?? 0) * first + (pixels[at + 1] ?? 0) * green + (pixels[at + 2] ?? 0) * last;
  }
  return luma;
}

/** The mean over overlapping squares. */
function ssim(a: Float64Array, b: Float64Array, width: number, height: number): number {
  let sum = 0;
  let count = 0;
  for (let y = 0; y + SQUARE <= height; y += STEP) {
    for (let x = 0; x + SQUARE <= width; x += STEP, count++) sum += likeness(a, b, y * width + x, width);
  }
  return sum / count;
}

function likeness(a: Float64Array, b: Float64Array, start: number, width: number): number {
  let [sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0];
  for (let row = 0; row < SQUARE; row++) {
    for (let at = start + row * width, end = at + SQUARE; at < end; at++) {
      const [p, q] = [a[at] ?? 0, b[at] ?? 0];
      sumA += p;
      sumB += q;
      squareA += p * p;
      squareB += q * q;
      product += p * q;
    }
  }
  const n = SQUARE * SQUARE;
  const [meanA, meanB] = [sumA / n, sumB / n];
  const [varianceA, varianceB] = [squareA / n - meanA ** 2, squareB / n - meanB ** 2];
  const covariance = product / n - meanA * meanB;
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA ** 2 + meanB ** 2 + C1) * (varianceA + varianceB + C2))
  );
}
