import { createHash } from 'node:crypto';
import { Label } from '../labels.js';

/** Annotations, for values that labels may not hold. */
export const Annotation = { store: Label.store, warmedBy: Label.warmedBy, proof: 'berth.proof' } as const;

/**
 * The purpose of a Pod, the value of the label `role`: a session, the canary, or a probe with or without restrictions.
 */
export type Role = 'session' | 'probe' | 'control' | 'canary';

/** Names of everything that one service creates in a cluster; services with different instances do not interfere. */
export interface Names {
  instance: string;
  /** Labels of everything that is created. */
  labels: Readonly<Record<string, string>>;
  /** Annotations of everything that belongs to this service's store. */
  annotations: Readonly<Record<string, string>>;
  /** Selects all sessions' Pods of this instance. */
  selector: string;
  /** The network policy that keeps Pods from private addresses. */
  policy: string;
  /**
   * Name of a session's Pod. It does not contain the session's ID, since the cluster's lists and logs contain names.
   */
  pod(sessionId: string): string;
}

/** Derives all names from the instance and the identity of the store; `store` null: there is none. */
export function namesOf(instance: string, store: string | null): Names {
  return {
    instance,
    labels: { 'app.kubernetes.io/part-of': 'berth', [Label.instance]: instance },
    annotations: store === null ? {} : { [Annotation.store]: store },
    selector: `${Label.instance}=${instance},${Label.role}=session`,
    policy: `${instance}-sessions`,
    pod: sessionId => `${instance}-${createHash('sha256').update(sessionId).digest('hex').slice(0, 16)}`,
  };
}
