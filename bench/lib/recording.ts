import { open } from 'node:fs/promises';
import { openBrowser } from '../../test/fixtures/viewers/browser.js';
import { pageUrl } from './pages.js';
import type { Scope } from './scope.js';

declare global {
  /** Draws the page's next frame, and returns its pixels as base64. */
  var nextFrame: () => string;
}

/**
 * Records the first frames of a page that draws with `everyFrame`: always the same pixels, red, green, blue and unused,
 * however slow the machine is.
 */
export async function record(
  scope: Scope,
  scene: { page: string; width: number; height: number; frames: number },
  file: string,
): Promise<void> {
  const { page: name, width, height, frames } = scene;
  const [document = '', hash = ''] = name.split('#');
  const browser = await openBrowser(scope);
  const context = await browser.newContext({ viewport: { width, height }, screen: { width, height } });
  await context.addInitScript(stepFrames);
  const page = await context.newPage();
  await page.goto(`${await pageUrl(`${document}.html`)}#${hash}`);
  const output = await open(file, 'w');
  try {
    for (let frame = 0; frame < frames; frame++) {
      await output.write(Buffer.from(await page.evaluate(() => nextFrame()), 'base64'));
    }
  } finally {
    await output.close();
    await browser.close();
  }
}

/** Runs in the page: lets it draw only when asked. */
function stepFrames(): void {
  const CHUNK = 1 << 15;
  let draw: FrameRequestCallback | undefined;
  globalThis.requestAnimationFrame = callback => {
    draw = callback;
    return 0;
  };
  globalThis.nextFrame = () => {
    draw?.(performance.now());
    const canvas = document.querySelector('canvas') as HTMLCanvasElement;
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let binary = '';
    for (let at = 0; at < data.length; at += CHUNK) {
      binary += String.fromCharCode(...data.subarray(at, at + CHUNK));
    }
    return btoa(binary);
  };
}
