/** Slots that players can save states in, from 0. */
export const STATE_SLOTS = 10;

/** The most discs of a game that viewers are told of. */
export const MOST_DISCS = 99;
