import { createSecureContext, type SecureContext } from 'node:tls';

/** What is needed of a context here, which Node does not document: `ca` would replace the usual authorities. */
interface Extensible {
  addCACert(pem: string): void;
}

/**
 * What TLS clients trust: the authorities that Node and the system trust, and these, as PEM. undefined if there are no
 * others: then clients need nothing.
 */
export function trusting(certificates: readonly string[]): SecureContext | undefined {
  if (certificates.length === 0) return undefined;
  const context = createSecureContext();
  for (const pem of certificates) (context.context as Extensible).addCACert(pem);
  return context;
}
