import { writeFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const FOLDER = 'docs/images';
/** Largest file, bytes: a page waits for all of its pictures. */
const LARGEST_BYTES = 200_000;

const STYLE = `
  body { margin: 0; display: flex; align-items: center; gap: 24px; width: max-content; padding: 4px 12px 20px }
  figure { margin: 0; overflow: hidden; border-radius: 12px; background: #dfe3e8; box-shadow: 0 5px 12px #0006 }
  figure::before { content: ""; display: block; width: 10px; height: 10px; margin: 9px 12px; border-radius: 50%;
    background: #ff6159; box-shadow: 17px 0 #f9bd2e, 34px 0 #29c840 }
  .phone { padding: 12px; border-radius: 40px; background: #22262c }
  .phone::before { display: none }
  .phone img { border-radius: 28px }
  img { display: block }`;

/** A viewer's page, and how it is shown: in a window or as a phone, at part of its size. */
export interface Shown {
  readonly page: Page;
  readonly frame?: 'window' | 'phone';
  readonly scale?: number;
}

/** Opens a page in a new profile. */
export async function open(browser: Browser, url: string, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(url);
  return page;
}

/** Writes the pages' current pictures, side by side, to a file of the documentation. */
export async function takePicture(browser: Browser, name: string, shown: readonly Shown[]): Promise<void> {
  const shots = await Promise.all(shown.map(({ page }) => page.screenshot({ caret: 'initial' })));
  const figures = shown.map(({ page, frame = 'window', scale = 1 }, index) => {
    const width = Math.round((page.viewportSize()?.width ?? 0) * scale);
    return `<figure class="${frame}"><img width="${width}" src="data:image/png;base64,${shots[index]!.toString('base64')}"></figure>`;
  });
  const page = await open(browser, 'about:blank', { viewport: { width: 2000, height: 1200 } });
  await page.setContent(`<!doctype html><style>${STYLE}</style>${figures.join('')}`);
  const box = (await page.locator('body').boundingBox())!;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
  const clip = { ...box, scale: 1 };
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 90, clip });
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > LARGEST_BYTES) throw new Error(`${name} is too large: ${bytes.length} bytes`);
  await writeFile(`${FOLDER}/${name}.webp`, bytes);
  console.log(`  ${FOLDER}/${name}.webp: ${Math.round(box.width)}x${Math.round(box.height)}, ${bytes.length} bytes`);
  await page.context().close();
}
