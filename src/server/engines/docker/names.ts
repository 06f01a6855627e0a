import { createHash } from 'node:crypto';

/** Labels of everything that the service makes in an engine. */
export const Label = {
  instance: 'berth.instance',
  store: 'berth.store',
  session: 'berth.session',
  kind: 'berth.kind',
  /** Version of the link's protocol; none is version 1. */
  link: 'berth.link',
  madeAheadBy: 'berth.made-ahead-by',
  role: 'berth.role',
} as const;

/** Labels that images/build.sh gives to images. */
export const ImageLabel = {
  /** When their packages were fetched, RFC 3339. */
  packagesOf: 'berth.packages-of',
  /** The package that an image is there for, and its version. */
  program: 'berth.program',
} as const;

/**
 * Names of what one service makes in an engine; services with different instances never meet. Those with the same
 * instance share network and packet filter; their containers tell whose they are by the store that they serve.
 */
export interface Names {
  instance: string;
  /** Labels of what is this service's alone. */
  labels: Readonly<Record<string, string>>;
  network: string;
  /** Interface of the network, at most 15 characters. */
  bridge: string;
  /** Chain for what containers send through the host. */
  forwardChain: string;
  /** Chain for what containers send to the host itself. */
  inputChain: string;
  /** Of a session's container: not the session's ID, since names stand in lists and logs of the engine's machine. */
  container(sessionId: string): string;
}

const SLUG_LENGTH = 12;

/** Derives all names from the name of the instance, and the identity of the store; null: there is none. */
export function namesOf(instance: string, store: string | null = null): Names {
  const hash = digest(instance).slice(0, 6);
  const slug = instance.length <= SLUG_LENGTH ? instance : `${instance.slice(0, SLUG_LENGTH - 7)}-${hash}`;
  return {
    instance,
    labels: { [Label.instance]: instance, ...(store === null ? {} : { [Label.store]: store }) },
    network: `${instance}-sessions`,
    bridge: `br-${slug}`,
    forwardChain: `BERTH-F-${slug}`,
    inputChain: `BERTH-I-${slug}`,
    container: sessionId => `${instance}-${digest(sessionId).slice(0, 16)}`,
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
