/** An extension that Chromium would not load; the message says why. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';

  constructor(
    readonly failure: 'extension_invalid' | 'extension_unsupported',
    message: string,
  ) {
    super(message);
  }
}
