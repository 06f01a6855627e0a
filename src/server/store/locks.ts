/** Advisory locks of PostgreSQL. A transaction that takes several takes them in this order. */
export const CAPACITY_LOCK = 0x62657274;

/** Events of sessions: their numbers are given and become visible in the same order, so that readers miss none. */
export const EVENTS_LOCK = 0x62657275;
