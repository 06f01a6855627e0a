import { readFile } from 'node:fs/promises';

const folder = new URL('../pages/', import.meta.url);

/** A page of bench/pages as an address that needs no server. */
export async function pageUrl(name: string): Promise<string> {
  const html = await readFile(new URL(name, folder), 'utf8');
  return `data:text/html;base64,${Buffer.from(html).toString('base64')}`;
}

/** The script that watches the picture from inside the viewer's page. */
export const PROBE = new URL('probe.js', folder).pathname;
