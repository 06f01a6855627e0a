export { Outbound } from './outbound.js';
export { AddressRefused, reasonText, type Reason } from './refused.js';
export type { Resolve } from './internal-addresses.js';
