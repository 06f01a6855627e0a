const WORDS = {
  special: "is link-local, a cloud's metadata service, or otherwise reserved",
  private: 'is in a private network',
  service: "is the service's own",
  engine: 'belongs to a container engine',
  session: 'belongs to the containers of sessions',
  unknown: 'is in a private network, and the networks of sessions are not all known yet',
} as const;

/** Why an address is refused. */
export type Reason = keyof typeof WORDS;

/** The reason as the end of a sentence about the address. */
export const reasonText = (reason: Reason): string => WORDS[reason];

/** The address, or one that its name resolves to, is forbidden. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(`the address ${reasonText(reason)}`);
    this.reason = reason;
  }
}
