import type { Manifest } from './sbom.js';

/** Fields of the repository's package.json that the npm package has too, besides those of every manifest. */
const KEPT = ['description', 'type', 'engines', 'exports'] as const;

/**
 * The package.json of the npm package of the client, the SDK and the React component. Its modules are bundles without
 * dependencies, since the repository's `dependencies` are the service's; React is the application's own.
 * @param url of the repository, which npm compares with the provenance that a release workflow states
 */
export function packageManifest(repository: Manifest & Record<string, unknown>, url?: string) {
  const { name, version, license } = repository;
  return {
    name,
    version,
    license,
    ...Object.fromEntries(KEPT.map(field => [field, repository[field]])),
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
    ...(url === undefined ? {} : { repository: { type: 'git', url: `git+${url}.git` } }),
  };
}
