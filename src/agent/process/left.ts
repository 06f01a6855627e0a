import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, processes, statOf, type Identity } from './identity.js';
import type { Ending, Running } from './running.js';
import { send } from './signals.js';

/** How often a process that is nobody's child here is looked at, ms. */
const LOOK_EVERY_MS = 100;

/** Takes on a process that an agent before this one started. How it ends cannot be known. */
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

/** The group of a process keeps its number for as long as anybody is in it, whether the process still runs or not. */
function signalGroup(identity: Identity, signal: NodeJS.Signals): void {
  const { pid, start } = identity;
  const members = processes().filter(({ group }) => group === pid);
  const isAnothers = members.some(member => member.pid === pid && member.start !== start);
  if (members.length > 0 && !isAnothers) send(-pid, signal);
}

/** Resolves when a process that was left has ended, after `grace` milliseconds by force. */
export async function outlive(identity: Identity | undefined, grace: number): Promise<void> {
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
 * Ends what an agent that was killed had started and not written down yet: leaders of sessions of their own, as `launch`
 * makes them, whose parent is gone.
 */
export function endStrays(known: readonly Identity[]): number {
  const strays = processes().filter(
    ({ pid, start, parent, session }) =>
      parent === 1 && session === pid && !known.some(each => each.pid === pid && each.start === start),
  );
  for (const { pid } of strays) send(-pid, 'SIGKILL');
  return strays.length;
}
