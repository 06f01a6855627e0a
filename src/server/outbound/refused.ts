const WORDS = {
  special: "is link-local, a cloud's metadata service, or special in another way",
  private: 'is in a private network',
  service: "is the service's own",
  engine: 'belongs to a container engine',
  session: 'belongs to the containers of sessions',
  unknown: 'is in a private network, and an engine has not told yet which of them are those of sessions',
} as const;

/** Why nothing is sent to an address. */
export type Reason = keyof typeof WORDS;

/** The reason as the end of a sentence about the address. */
export const inWords = (reason: Reason): string => WORDS[reason];

/** The address, or one that its name means, is one that nothing is sent to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(`the address ${inWords(reason)}`);
    this.reason = reason;
  }
}
