import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compact, type Rule } from './rules.js';

/** Filter lists of @adguard/dnr-rulesets by the names that the extension's manifest gives them. */
const LISTS = { ads: 2, trackers: 3 } as const;

/** Read as files: what the packages' programs need is not installed, see `overrides` in package.json. */
const packages = fileURLToPath(new URL('../../../node_modules/@adguard/', import.meta.url));
const listFolder = `${packages}dnr-rulesets`;
const redirectFolder = `${packages}scriptlets/dist/redirect-files`;

/**
 * Adds to the built extension what is not Berth's own: rules, the files that blocked requests are answered
 * with, and their licence.
 */
export async function buildAdblock(outdir: string): Promise<void> {
  const redirects = new Set(await readdir(redirectFolder));
  await Promise.all([mkdir(`${outdir}/rules`, { recursive: true }), mkdir(`${outdir}/redirects`, { recursive: true })]);
  const used = new Set<string>();
  for (const [name, id] of Object.entries(LISTS)) {
    const file = `${listFolder}/dist/filters/declarative/ruleset_${id}/ruleset_${id}.json`;
    const rules = compact(JSON.parse(await readFile(file, 'utf8')) as Rule[], redirects);
    for (const { action } of rules) used.add(action.redirect?.extensionPath ?? '');
    await writeFile(`${outdir}/rules/${name}.json`, JSON.stringify(rules));
  }
  await Promise.all([
    copyFile(`${listFolder}/LICENSE`, `${outdir}/LICENSE`),
    ...[...redirects]
      .filter(name => used.has(`/redirects/${name}`))
      .map(name => copyFile(`${redirectFolder}/${name}`, `${outdir}/redirects/${name}`)),
  ]);
}
