import { createHash } from 'node:crypto';
import { Label } from '../labels.js';

export { ImageLabel, Label } from '../labels.js';

/** Names of a network and of the rules around it. */
export type NetworkNames = Pick<Names, 'network' | 'bridge' | 'forwardChain' | 'inputChain'>;

/**
 * Names of everything one service creates in an engine; services with different instances never collide. Services with
 * the same instance share network and packet filter; their containers are labelled with the store they belong to.
 */
export interface Names {
  instance: string;
  /** Labels of resources that belong to this service alone. */
  labels: Readonly<Record<string, string>>;
  network: string;
  /** Network interface name, at most 15 characters. */
  bridge: string;
  /** Chain for traffic from containers that the host forwards. */
  forwardChain: string;
  /** Chain for traffic from containers to the host itself. */
  inputChain: string;
  /** The same for containers of sessions with a device of a pool, which reach that device and nothing else. */
  devices: NetworkNames;
  /**
   * Name of a session's container. It does not contain the session ID, since names appear in lists and logs of the
   * engine's machine.
   */
  container(sessionId: string): string;
}

const SLUG_LENGTH = 12;

/** Derives all names from the name of the instance and the identity of the store; null: there is none. */
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
    devices: {
      network: `${instance}-devices`,
      bridge: `bd-${slug}`,
      forwardChain: `BERTH-DF-${slug}`,
      inputChain: `BERTH-DI-${slug}`,
    },
    container: sessionId => `${instance}-${digest(sessionId).slice(0, 16)}`,
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
