import t from 'tap';
import { bundledPackages, imageBom, packageBom } from '../../scripts/lib/sbom.js';

t.test('each package of an image has a name, a version and an address', async t => {
  const packages = 'chromium\t156.0-1~deb13u1\tamd64\nlibstdc++6\t14.2.0-19\tamd64\n';
  const bom = imageBom('berth/chromium', 'sha256:abc', packages, new Date(0));
  t.match(bom, { bomFormat: 'CycloneDX', specVersion: '1.5', metadata: { timestamp: '1970-01-01T00:00:00.000Z' } });
  t.same(
    bom.components.map(({ name, version, purl }) => [name, version, purl]),
    [
      ['chromium', '156.0-1~deb13u1', 'pkg:deb/debian/chromium@156.0-1~deb13u1?arch=amd64'],
      ['libstdc++6', '14.2.0-19', 'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?arch=amd64'],
    ],
  );
});

t.test('the packages of which something is in a bundle are found by its source map', t => {
  const map = (...sources: string[]) => JSON.stringify({ version: 3, sources });
  const client = map('../node_modules/openapi-fetch/src/index.js', '../src/client/errors.ts');
  const nested = map('../../node_modules/a/node_modules/@scope/b/index.js', '../node_modules/openapi-fetch/x.js');
  t.same(bundledPackages([client, nested]), ['node_modules/a/node_modules/@scope/b', 'node_modules/openapi-fetch']);
  t.same(bundledPackages([map('../src/web/sdk/index.ts')]), []);
  t.end();
});

t.test('the npm package is made of itself and of what is in its bundles, each with its licence', t => {
  const berth = { name: 'berth', version: '1.2.3', license: 'MIT' };
  const bom = packageBom(berth, [{ name: '@scope/b', version: '4.5.6', license: 'ISC' }], new Date(0));
  t.match(bom.metadata.component, { name: 'berth', purl: 'pkg:npm/berth@1.2.3' });
  t.match(bom.components, [{ purl: 'pkg:npm/%40scope/b@4.5.6', licenses: [{ license: { id: 'ISC' } }] }]);
  t.end();
});
