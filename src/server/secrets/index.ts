export { Keyring, type Secret } from './keyring.js';
export { Sealer } from './sealer.js';
