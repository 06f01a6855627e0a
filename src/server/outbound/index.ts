export { Outbound } from './outbound.js';
export { AddressRefused, inWords, type Reason } from './refused.js';
export type { Resolve } from './territory.js';
