import { readFile } from 'node:fs/promises';
import t from 'tap';
import { packageManifest } from '../../scripts/lib/package-manifest.js';
import type { Manifest } from '../../scripts/lib/sbom.js';

const repository = JSON.parse(await readFile('package.json', 'utf8')) as Manifest & Record<string, unknown>;
const COPIED = ['name', 'version', 'license', 'description', 'type', 'engines', 'exports'] as const;

t.test('the npm package has the name, version and modules of the repository, and depends on nothing', t => {
  const manifest = packageManifest(repository);
  t.same(Object.keys(manifest), [...COPIED, 'peerDependencies', 'peerDependenciesMeta']);
  for (const field of COPIED) t.equal((manifest as Record<string, unknown>)[field], repository[field], field);
  t.equal(repository['private'], true, 'the repository itself, with what the service needs, cannot be published');
  t.end();
});

t.test("React is the application's own, and only who uses it needs it", t => {
  const { peerDependencies, peerDependenciesMeta } = packageManifest(repository);
  t.same(peerDependencies, { react: '>=18' });
  t.same(peerDependenciesMeta, { react: { optional: true } });
  t.end();
});

t.test('a release names the repository that its provenance is of', t => {
  const manifest = packageManifest(repository, 'https://git.example/berth/berth');
  t.match(manifest, { repository: { type: 'git', url: 'git+https://git.example/berth/berth.git' } });
  t.end();
});
