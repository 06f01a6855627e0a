import type { LaunchConsole } from '../../protocol/generated/schemas.js';
import { Console } from '../console/console.js';
import type { ConsoleGames } from '../console/console-games.js';
import type { Kind } from './kind.js';

/** A console, by what it plays. */
export interface ConsoleKindOf extends Kind<LaunchConsole> {
  readonly games: ConsoleGames;
}

/** What all consoles have in common. */
export const console = (games: ConsoleGames): ConsoleKindOf => ({
  games,
  program: (launch, options) => new Console(launch, options, games),
  withoutSecrets: launch => launch,
});
