import { constants, privateEncrypt, type KeyObject } from 'node:crypto';
import { AdbAuthType, AdbCommand, type AdbAuthenticator } from '@yume-chan/adb';

/** Bytes of the tokens that devices want signed. */
export const TOKEN_BYTES = 20;

/** What PKCS #1 has before a SHA-1 digest: adb signs its tokens as if they were one. */
const DIGEST_INFO = Buffer.from('3021300906052b0e03021a05000414', 'hex');

/** Signs a device's token with an RSA key. @throws RangeError if it is none */
export function signToken(key: KeyObject, token: Uint8Array): Buffer {
  if (token.length !== TOKEN_BYTES) throw new RangeError('This is not a token of a device.');
  return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([DIGEST_INFO, token]));
}

/**
 * Convinces a device by a signature that somebody else makes. Without one it does not try, so that others follow; a
 * device that refuses the signature is told nothing more.
 */
export const signedBy = (sign: (token: Uint8Array) => Promise<Uint8Array | null>): AdbAuthenticator =>
  async function* (_, next) {
    const { arg0, payload } = await next();
    const signature = arg0 === AdbAuthType.Token ? await sign(payload) : null;
    if (signature === null) return;
    yield { command: AdbCommand.Auth, arg0: AdbAuthType.Signature, arg1: 0, payload: signature };
    throw new Error('The device does not trust the key.');
  };
