import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { askStatus, reachesStatus, command } from './commands.js';
import type { Cartridge, Emulator, Status } from './emulator.js';
import { isTranslatable, TRANSLATION_BYTES } from './rom/translation-n64.js';
import { readHead } from './rom/read-head.js';
import { GAME_NAME, MUPEN_CONFIG_FOLDER, MUPEN_PLUGIN_FOLDER, SAVE_FOLDER, STATE_FOLDER } from './paths.js';

const unzip = promisify(gunzip);

const SETTINGS = [
  'Core[OnScreenDisplay]=False',
  `Core[SaveStatePath]=${STATE_FOLDER}`,
  `Core[SaveSRAMPath]=${SAVE_FOLDER}`,
  // Files are called after the name in the cartridge.
  'Core[SaveFilenameFormat]=0',
  'Audio-SDL[DEFAULT_FREQUENCY]=48000',
  'Video-General[VerticalSync]=False',
  // Of a Game Boy, which the core would look for on this machine.
  'Core[GbCameraVideoCaptureBackend1]=dummy',
];

/** What stands in for the libraries of that camera, which take longer to load than a game to start. */
const WITHOUT_CAMERA = `${MUPEN_PLUGIN_FOLDER}/without-camera`;

/** How the console's two processors are emulated. */
export interface Processors {
  /** The plugin for the RSP. */
  readonly rsp: string;
  /** Whether the processor's instructions are recompiled, as long as the program allows it, or interpreted. */
  readonly cpu: 'translated' | 'interpreted';
}

/** mupen64plus' names for them. */
const CPU_MODES = { translated: '2', interpreted: '1' } as const;

/**
 * mupen64plus with plugins of our own: for pads and commands over the network (images/console/netpad), for the picture
 * (images/console/rdp), and for the RSP (images/console/rsp).
 */
export class Mupen64Plus implements Emulator {
  /** States belong to mupen64plus itself, whatever its plugins. */
  readonly core = 'mupen64plus';
  readonly statePath = `${STATE_FOLDER}/${GAME_NAME}.state`;
  readonly #processors: Processors;

  constructor(processors: Processors) {
    this.#processors = processors;
  }

  async command({ path, width, height }: Cartridge, env: Record<string, string>) {
    const isTranslated =
      this.#processors.cpu === 'translated' && isTranslatable(await readHead(path, TRANSLATION_BYTES));
    return {
      file: '/usr/games/mupen64plus',
      args: [
        ...['--configdir', MUPEN_CONFIG_FOLDER],
        ...['--plugindir', MUPEN_PLUGIN_FOLDER],
        ...['--fullscreen', '--resolution', `${width}x${height}`, '--nosaveoptions'],
        ...['--emumode', CPU_MODES[isTranslated ? 'translated' : 'interpreted']],
        ...['--gfx', 'mupen64plus-video-rdp', '--rsp', this.#processors.rsp],
        ...['--input', 'mupen64plus-input-netpad', '--audio', 'mupen64plus-audio-sdl'],
        ...SETTINGS.flatMap(setting => ['--set', setting]),
        path,
      ],
      env: { ...env, SDL_AUDIODRIVER: 'pulseaudio', LD_LIBRARY_PATH: WITHOUT_CAMERA },
    };
  }

  save(): Promise<void> {
    return command(`SAVE_STATE ${this.statePath}`);
  }

  async isWhole(content: Buffer): Promise<boolean> {
    return (await unzip(content).catch(() => null)) !== null;
  }

  load(): Promise<void> {
    return command(`LOAD_STATE ${this.statePath}`);
  }

  reset(): Promise<void> {
    return command('RESET');
  }

  async pause(on: boolean, ended: AbortSignal): Promise<boolean> {
    await command(`PAUSE ${on ? 1 : 0}`);
    return reachesStatus(on ? 'paused' : 'playing', ended);
  }

  async show(): Promise<void> {
    // It plays some frames after any command.
  }

  fastForward(on: boolean): Promise<void> {
    return command(`FAST_FORWARD ${on ? 1 : 0}`);
  }

  status(): Promise<Status> {
    return askStatus();
  }
}
