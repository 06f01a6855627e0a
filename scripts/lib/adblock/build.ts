import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { packageFiles, type PinnedPackage } from '../npm-package.js';
import { compact, type Rule } from './rules.js';

/** Filter lists of the rules package, by their names in the extension's manifest. */
const LISTS = { ads: 2, trackers: 3 } as const;
const LICENCE = 'LICENSE';
const REDIRECTS = 'dist/redirect-files/';

const listFile = (id: number) => `dist/filters/declarative/ruleset_${id}/ruleset_${id}.json`;

/**
 * Adds third-party content to the built extension: rules, the files that replace blocked requests, and their licence,
 * from the packages pinned in packages.json.
 */
export async function buildAdblock(outdir: string): Promise<void> {
  const [rules, redirects] = await fetchAll();
  await Promise.all([mkdir(`${outdir}/rules`, { recursive: true }), mkdir(`${outdir}/redirects`, { recursive: true })]);
  const used = new Set<string>();
  for (const [name, id] of Object.entries(LISTS)) {
    const list = JSON.parse(file(rules, listFile(id)).toString()) as Rule[];
    const compacted = compact(list, new Set(redirects.keys()));
    for (const { action } of compacted) used.add(action.redirect?.extensionPath ?? '');
    await writeFile(`${outdir}/rules/${name}.json`, JSON.stringify(compacted));
  }
  await writeFile(`${outdir}/${LICENCE}`, file(rules, LICENCE));
  for (const [name, content] of redirects) {
    if (used.has(`/redirects/${name}`)) await writeFile(`${outdir}/redirects/${name}`, content);
  }
}

async function fetchAll(): Promise<[rules: Map<string, Buffer>, redirects: Map<string, Buffer>]> {
  const text = await readFile(new URL('packages.json', import.meta.url), 'utf8');
  const pinned = JSON.parse(text) as Record<'rules' | 'redirects', PinnedPackage>;
  const listFiles: string[] = [LICENCE, ...Object.values(LISTS).map(listFile)];
  const rules = await packageFiles(pinned.rules, path => listFiles.includes(path));
  const files = await packageFiles(pinned.redirects, path => path.startsWith(REDIRECTS));
  return [rules, new Map([...files].map(([path, content]) => [basename(path), content]))];
}

function file(files: ReadonlyMap<string, Buffer>, path: string): Buffer {
  const content = files.get(path);
  if (!content) throw new Error(`the package of the ad blocker's rules has no file ${path}`);
  return content;
}
