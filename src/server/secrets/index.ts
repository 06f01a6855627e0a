export { Keyring, type Secret } from './keyring.js';
export { ValueCipher } from './value-cipher.js';
