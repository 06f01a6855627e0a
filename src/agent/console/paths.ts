/** The saves of all games, each in its own folder. */
export const GAMES_FOLDER = '/home/berth/games';

/** A link to the current game's folder, with its battery saves and states. */
export const GAME_FOLDER = '/home/berth/game';
export const SAVE_FOLDER = `${GAME_FOLDER}/saves`;
export const STATE_FOLDER = `${GAME_FOLDER}/states`;

/** The game as downloaded, and as unpacked. */
export const ROM_FOLDER = '/rom';

/**
 * Saves and states are named after the game's file: it always gets this name, so that they are found whatever its
 * address.
 */
export const GAME_NAME = 'game';

export const RETROARCH_CONFIG = '/etc/berth/retroarch.cfg';
/** Sizes the picture. */
export const RETROARCH_SHADER = '/etc/berth/whole-lines.glsl';
/** Links to Debian's folders, whose names depend on the machine's architecture. */
export const CORE_FOLDER = '/opt/berth/libretro';
/** The operator's BIOS for the ps1, where there is one. */
export const BIOS_FOLDER = '/opt/berth/bios';
export const MUPEN_PLUGIN_FOLDER = '/opt/berth/mupen64plus';
export const MUPEN_CONFIG_FOLDER = '/tmp/mupen64plus';
