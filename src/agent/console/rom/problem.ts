/** Why a file cannot be played, in words for the person who sent it. */
export class RomProblem extends Error {
  override readonly name = 'RomProblem';
}

export const TRUNCATED = 'The game is cut off: its file is shorter than it says.';
