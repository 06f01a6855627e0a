import { readFile } from 'node:fs/promises';
import t from 'tap';
import { packageManifest } from '../../scripts/lib/package-manifest.js';

t.test('the npm package has the name, version and modules of the repository, and depends on nothing', async t => {
  const repository = JSON.parse(await readFile('package.json', 'utf8')) as Record<string, unknown>;
  const manifest = packageManifest(repository);
  t.same(Object.keys(manifest), ['name', 'version', 'description', 'license', 'type', 'engines', 'exports']);
  for (const [field, value] of Object.entries(manifest)) t.equal(value, repository[field], field);
  t.equal(repository['private'], true, 'the repository itself, with what the service needs, cannot be published');
});
