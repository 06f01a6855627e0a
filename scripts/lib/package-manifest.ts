/** Fields of the repository's package.json that are copied to the npm package. */
const KEPT = ['name', 'version', 'description', 'license', 'type', 'engines', 'exports'] as const;

/**
 * The package.json of the npm package of the client and the SDK. Both modules are bundles without dependencies: the
 * repository's `dependencies` are the service's.
 */
export function packageManifest(repository: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(KEPT.map(field => [field, repository[field]]));
}
