/** Software bills of materials in CycloneDX's JSON, https://cyclonedx.org/docs/1.5/json/. */

/** A component of a container image or of a package. */
export interface Component {
  type: 'library';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses?: { license: { id: string } }[];
}

/** What is read of the package.json of a package. */
export interface Manifest {
  name: string;
  version: string;
  /** SPDX identifier. */
  license: string;
}

/** The format in which `dpkg-query` must print each package for `imageBom`. */
export const DPKG_FORMAT = '${Package}\\t${Version}\\t${Architecture}\\n';

/**
 * The bill of materials of an image made of Debian packages: `name`, its version, and the output of `dpkg-query` in it.
 */
export function imageBom(name: string, version: string, packages: string, made: Date) {
  const container = { type: 'container', 'bom-ref': `${name}@${version}`, name, version };
  return bom(container, packages.split('\n').filter(Boolean).map(debianComponent), made);
}

/** The bill of materials of an npm package, from its manifest and those of the packages that are in its bundles. */
export const packageBom = (manifest: Manifest, bundled: readonly Manifest[], made: Date) =>
  bom(npmComponent(manifest), bundled.map(npmComponent), made);

/** The folders of the npm packages of which something is in bundles, from the bundles' source maps. */
export function bundledPackages(maps: readonly string[]): string[] {
  const sources = maps.flatMap(map => (JSON.parse(map) as { sources: string[] }).sources);
  const folders = sources.flatMap(
    source => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(source) ?? [],
  );
  return [...new Set(folders)].sort();
}

function bom<Subject>(component: Subject, components: Component[], made: Date) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { timestamp: made.toISOString(), component },
    components,
  };
}

function npmComponent({ name, version, license }: Manifest): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ license: { id: license } }] };
}

function debianComponent(line: string): Component {
  const [name = '', version = '', architecture = ''] = line.split('\t');
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl };
}
