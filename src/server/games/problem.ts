/** Why a game could not be had from its address, in words for the person who gave it. */
export class RomError extends Error {
  override readonly name = 'RomError';
}
