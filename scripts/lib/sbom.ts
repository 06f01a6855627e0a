/** Software bills of materials in CycloneDX's JSON, https://cyclonedx.org/docs/1.5/json/. */

/** A component of a container image. */
export interface Component {
  type: 'library';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
}

/** The format in which `dpkg-query` must print each package for `imageBom`. */
export const DPKG_FORMAT = '${Package}\\t${Version}\\t${Architecture}\\n';

/**
 * The bill of materials of an image made of Debian packages: `name`, its version, and the output of `dpkg-query` in it.
 */
export function imageBom(name: string, version: string, packages: string, made: Date) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: made.toISOString(),
      component: { type: 'container', 'bom-ref': `${name}@${version}`, name, version },
    },
    components: packages.split('\n').filter(Boolean).map(component),
  };
}

function component(line: string): Component {
  const [name = '', version = '', architecture = ''] = line.split('\t');
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl };
}
