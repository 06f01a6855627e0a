import { element } from '../../lib/dom.js';
import type { Session } from '../../sdk/session.js';

/** By then browsers have begun to save a file, ms. */
const KEPT_MS = 60_000;

/** Downloads a screenshot to the viewer's computer. @throws CallError */
export async function savePicture({ files }: Session): Promise<void> {
  const url = URL.createObjectURL(await files.screenshot());
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  element('a', { href: url, download: `screenshot-${time}.png` }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
