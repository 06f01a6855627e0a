import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, processes, statOf, type Identity } from './identity.js';
import type { Ending, Running } from './running.js';
import { send } from './signals.js';

/** Polling intervals for a process that is not our child, ms: for one that may run for hours, and one that is to end. */
const LOOK_EVERY_MS = 500;
const LOOK_SOON_MS = 50;

/** Adopts a process that another started, such as a previous agent. Its exit status cannot be known. */
export function adopt(identity: Identity, interval = LOOK_EVERY_MS): Running {
  const { pid } = identity;
  const isLeader = statOf(pid)?.group === pid;
  let timer: NodeJS.Timeout | undefined;
  let look = () => {};
  const lookEvery = (ms: number) => {
    clearInterval(timer);
    timer = setInterval(look, ms);
    look();
  };
  const ended = new Promise<Ending>(resolve => {
    look = () => {
      if (isAlive(identity)) return;
      clearInterval(timer);
      resolve({ code: null, signal: null, why: '' });
    };
  });
  lookEvery(interval);
  const tell = (send: typeof signalOne) => (signal: NodeJS.Signals) => {
    send(identity, signal);
    lookEvery(LOOK_SOON_MS);
  };
  return { pid, ended, signal: tell(isLeader ? signalGroup : signalOne), ask: tell(signalOne), look };
}

function signalOne(identity: Identity, signal: NodeJS.Signals): void {
  if (isAlive(identity)) send(identity.pid, signal);
}

/** A process group keeps its number as long as it has members, whether or not its leader still runs. */
function signalGroup(identity: Identity, signal: NodeJS.Signals): void {
  const { pid, start } = identity;
  const members = processes().filter(({ group }) => group === pid);
  const isReused = members.some(member => member.pid === pid && member.start !== start);
  if (members.length > 0 && !isReused) send(-pid, signal);
}

/** Resolves when an adopted process has ended, by force after `grace` milliseconds. */
export async function waitOrKill(identity: Identity | undefined, grace: number): Promise<void> {
  if (identity === undefined) return;
  const left = adopt(identity, LOOK_SOON_MS);
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
