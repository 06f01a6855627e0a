import { createHash } from 'node:crypto';
import { Label } from '../labels.js';

/** What is said in annotations, since its value may hold what a label's must not. */
export const Annotation = { store: Label.store, warmedBy: Label.warmedBy, proof: 'berth.proof' } as const;

/** What a Pod is there for: values of the label `role`. */
export type Role = 'session' | 'probe' | 'control' | 'canary';

/** Names of what one service makes in a cluster; services with different instances never meet. */
export interface Names {
  instance: string;
  /** Labels of all that is made. */
  labels: Readonly<Record<string, string>>;
  /** Annotations of what is this service's alone. */
  annotations: Readonly<Record<string, string>>;
  /** Selects all sessions' Pods of this instance. */
  selector: string;
  /** The policy that keeps Pods from private addresses. */
  policy: string;
  /** Of a session's Pod: not the session's ID, since names stand in lists and logs of the cluster. */
  pod(sessionId: string): string;
}

/** Derives all names from the name of the instance, and the identity of the store; null: there is none. */
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
