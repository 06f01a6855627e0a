/** Why a game could not be fetched, in words for the person who gave its address. */
export class RomError extends Error {
  override readonly name = 'RomError';
}
