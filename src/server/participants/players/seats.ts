import { PLAYERS } from '../../../protocol/pad.js';

/** Who plays which pad: the user's ID, or null where the seat is free. Index 0 is player 1. */
export type SeatPlan = readonly (string | null)[];

export const NO_SEATS: SeatPlan = Array.from({ length: PLAYERS }, () => null);

/**
 * The plan after a user has joined. Who comes for the first time and finds nobody playing is player 1; who comes back
 * is who it was, `former`, where nobody else is that by now.
 */
export function afterJoin(plan: SeatPlan, userId: string, former?: readonly number[]): SeatPlan {
  if (former !== undefined) return former.filter(player => plan[player - 1] === null).reduce((next, player) => withSeat(next, player - 1, userId), plan);
  return plan.every(seat => seat === null) ? withSeat(plan, 0, userId) : plan;
}

/** The plan after a user has left, or may play no more. */
export function afterLeave(plan: SeatPlan, userId: string): SeatPlan {
  return plan.includes(userId) ? plan.map(seat => (seat === userId ? null : seat)) : plan;
}

/** The plan with a seat given to a user, or freed. */
export function withSeat(plan: SeatPlan, index: number, userId: string | null): SeatPlan {
  return plan[index] === userId ? plan : plan.map((seat, i) => (i === index ? userId : seat));
}

/** The seat that a user gets who does not mind which; null where all are taken. */
export function freeSeat(plan: SeatPlan): number | null {
  const index = plan.indexOf(null);
  return index === -1 ? null : index;
}
