/** Why a game could not be fetched, in words for the person who gave its address. */
export class RomError extends Error {
  override readonly name = 'RomError';
  /** Whether the cause is its server, which may recover. */
  readonly isServerDown: boolean;

  constructor(message: string, { isServerDown = false }: { isServerDown?: boolean } = {}) {
    super(message);
    this.isServerDown = isServerDown;
  }
}
