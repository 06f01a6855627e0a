import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { AdbCredentialStore } from '@yume-chan/adb';

const BITS = 2048;

/** The key of a launch, or a new one. @throws if it is not an RSA key in PEM */
export function adbKeys(pem: string | undefined): AdbCredentialStore {
  let key: KeyObject | undefined = pem === undefined ? undefined : createPrivateKey(pem);
  const current = () => {
    key ??= generateKeyPairSync('rsa', { modulusLength: BITS }).privateKey;
    return { buffer: new Uint8Array(key.export({ type: 'pkcs8', format: 'der' })), name: 'berth' };
  };
  return { generateKey: current, iterateKeys: () => [current()] };
}
