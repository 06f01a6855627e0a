/** Slots that players can save states in, from 0. */
export const STATE_SLOTS = 10;
