/** Labels of everything that the service creates in an engine. */
export const Label = {
  instance: 'berth.instance',
  store: 'berth.store',
  session: 'berth.session',
  kind: 'berth.kind',
  /** Version of the link protocol; no label means version 1. */
  link: 'berth.link',
  warmedBy: 'berth.made-ahead-by',
  role: 'berth.role',
} as const;

/** Labels that images/build.sh sets on images. */
export const ImageLabel = {
  /** When their packages were fetched, RFC 3339. */
  packagesOf: 'berth.packages-of',
  /** The package that an image exists for, and its version. */
  program: 'berth.program',
} as const;
