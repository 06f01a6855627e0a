/** What players keep of all games, each in a folder of its own. */
export const GAMES_FOLDER = '/home/berth/games';

/** A link to the folder of the game that is played: its battery saves and states. */
export const GAME_FOLDER = '/home/berth/game';
export const SAVE_FOLDER = `${GAME_FOLDER}/saves`;
export const STATE_FOLDER = `${GAME_FOLDER}/states`;

/** The game as it came, and what was unpacked of it. */
export const ROM_FOLDER = '/rom';

/** Saves and states are called after the game's file: this name, so that another address of it finds them. */
export const GAME_NAME = 'game';

export const RETROARCH_CONFIG = '/etc/berth/retroarch.cfg';
/** Links to where Debian has them, which depends on the machine's architecture. */
export const CORE_FOLDER = '/opt/berth/libretro';
export const MUPEN_PLUGIN_FOLDER = '/opt/berth/mupen64plus';
export const MUPEN_CONFIG_FOLDER = '/tmp/mupen64plus';
