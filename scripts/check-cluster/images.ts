import type { V1Pod } from '@kubernetes/client-node';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { basePod, restricted, helperContainer } from '../../src/server/engines/kubernetes/pod-spec.js';
import { delayOf, failureOf } from '../../src/server/engines/kubernetes/pod-state.js';
import type { Subject } from './subject.js';

const PULL_MS = 600_000;

/** A node that is created on demand takes a minute or two. */
const SCHEDULE_MS = 180_000;

/** Has a node pull each image of sessions, unless it has it already. */
export async function images({ cluster, settings }: Subject): Promise<string> {
  const told: string[] = [];
  for (const [name, image] of Object.entries(settings.kubernetes.images)) {
    const begun = performance.now();
    const pod = basePod(`${settings.names.instance}-image-${randomBytes(4).toString('hex')}`, 'probe', settings);
    const container = { ...helperContainer(settings, ['true']), image, securityContext: restricted(settings) };
    try {
      await cluster.create({ ...pod, spec: { ...pod.spec, containers: [container] } }, AbortSignal.timeout(PULL_MS));
      const at = await ended(() => cluster.read(pod.metadata.name), begun);
      told.push(`${name} in ${((performance.now() - begun) / 1000).toFixed(1)} s on ${at}`);
    } finally {
      await cluster.remove(pod.metadata.name, 0);
    }
  }
  return `The images are there or were pulled: ${told.join(', ')}.`;
}

/** Waits until a Pod has ended; gives its node. `begun`: by the clock of `performance`. */
async function ended(read: () => Promise<V1Pod | null>, begun: number): Promise<string> {
  for (;;) {
    const pod = await read();
    if (pod === null) throw new Error('Somebody removed a Pod of this check.');
    const waited = performance.now() - begun;
    const failure = failureOf(pod) ?? (waited > SCHEDULE_MS ? delayOf(pod) : null);
    if (failure !== null) throw failure;
    const { phase, containerStatuses } = pod.status ?? {};
    if (phase === 'Succeeded') return pod.spec?.nodeName ?? 'an unknown node';
    if (phase === 'Failed') throw new Error(`An image cannot run: ${JSON.stringify(containerStatuses?.[0]?.state)}`);
    if (waited > PULL_MS) throw new Error(`An image was not there after ${PULL_MS / 60_000} minutes.`);
    await sleep(250);
  }
}
