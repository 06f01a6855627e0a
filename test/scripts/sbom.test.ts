import t from 'tap';
import { imageBom } from '../../scripts/lib/sbom.js';

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
