import type { Sign, Signature } from '../../protocol/generated/schemas.js';

/** How long the service may take, milliseconds. */
const PATIENCE = 5000;

/** Has the service sign devices' tokens, so that the key never leaves it. */
export class AdbSigner {
  readonly #tell: (message: Sign) => void;
  readonly #waiting = new Map<string, (signature: Uint8Array | null) => void>();

  constructor(tell: (message: Sign) => void) {
    this.#tell = tell;
  }

  /** Resolves with a token's signature; null: the service has no key. @throws if the service does not answer in time */
  readonly sign = (token: Uint8Array): Promise<Uint8Array | null> => {
    const text = Buffer.from(token).toString('base64');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(text);
        reject(new Error('The service did not sign.'));
      }, PATIENCE);
      this.#waiting.set(text, signature => {
        clearTimeout(timer);
        this.#waiting.delete(text);
        resolve(signature);
      });
      this.#tell({ type: 'sign', token: text });
    });
  };

  /** Handles the service's answer; one that nobody waits for is ignored. */
  signed({ token, signature }: Signature): void {
    this.#waiting.get(token)?.(signature === undefined ? null : Buffer.from(signature, 'base64'));
  }
}
