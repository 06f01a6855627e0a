import { readFile } from 'node:fs/promises';

const folder = new URL('../pages/', import.meta.url);

const FRAMES = '<script src="frames.js"></script>';

/** A page of bench/pages, with the shared script, as an address that needs no server. */
export async function pageUrl(name: string): Promise<string> {
  const [page, frames] = await Promise.all([name, 'frames.js'].map(file => readFile(new URL(file, folder), 'utf8')));
  const html = page!.replace(FRAMES, () => `<script>${frames}</script>`);
  return `data:text/html;base64,${Buffer.from(html).toString('base64')}`;
}

/** The script that observes the picture from inside the viewer's page. */
export const PROBE = new URL('probe.js', folder).pathname;
