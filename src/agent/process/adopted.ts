import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, processes, statOf, type Identity } from './identity.js';
import type { Ending, Running } from './running.js';
import { send } from './signals.js';

/** Polling interval for a process that is not our child, ms. */
const LOOK_EVERY_MS = 100;

/** Adopts a process that a previous agent started. Its exit status cannot be known. */
export function adopt(identity: Identity): Running {
  const { pid } = identity;
  const isLeader = statOf(pid)?.group === pid;
  return {
    pid,
    ended: end(identity),
    signal: signal => (isLeader ? signalGroup(identity, signal) : signalOne(identity, signal)),
    ask: signal => signalOne(identity, signal),
  };
}

async function end(identity: Identity): Promise<Ending> {
  while (isAlive(identity)) await sleep(LOOK_EVERY_MS);
  return { code: null, signal: null, why: '' };
}

function signalOne(identity: Identity, signal: NodeJS.Signals): void {
  if (isAlive(identity)) send(identity.pid, signal);
}

/** A process group keeps its number as long as it has members, whether or not its leader still runs. */
function signalGroup(identity: Identity, signal: NodeJS.Signals): void {
  const { pid, start } = identity;
  const members = processes().filter(({ group }) => group === pid);
  const isAnothers = members.some(member => member.pid === pid && member.start !== start);
  if (members.length > 0 && !isAnothers) send(-pid, signal);
}

/** Resolves when an adopted process has ended, by force after `grace` milliseconds. */
export async function waitOrKill(identity: Identity | undefined, grace: number): Promise<void> {
  if (identity === undefined) return;
  const left = adopt(identity);
  const over = new AbortController();
  const forced = sleep(grace, undefined, { signal: over.signal }).then(
    () => left.signal('SIGKILL'),
    () => undefined,
  );
  await left.ended;
  over.abort();
  await forced;
  left.signal('SIGKILL');
}

/**
 * Ends processes that a killed agent had started but not recorded yet: session leaders, as `launch` creates them, whose
 * parent is gone.
 */
export function killOrphans(known: readonly Identity[]): number {
  const strays = processes().filter(
    ({ pid, start, parent, session }) =>
      parent === 1 && session === pid && !known.some(each => each.pid === pid && each.start === start),
  );
  for (const { pid } of strays) send(-pid, 'SIGKILL');
  return strays.length;
}
