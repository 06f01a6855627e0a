/** Fields of the repository's package.json that the npm package has too. */
const KEPT = ['name', 'version', 'description', 'license', 'type', 'engines', 'exports'] as const;

/**
 * The package.json of the npm package of the client and the SDK. Both modules are bundles, so that an integrator
 * installs nothing besides: the repository's `dependencies` are the service's.
 */
export function packageManifest(repository: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(KEPT.map(field => [field, repository[field]]));
}
