import { PLAYERS } from '../../protocol/pad.js';
import { askStatus, reachesStatus, command } from './commands.js';
import { askCore } from './discs.js';
import type { Cartridge, DiscInside, Emulator, Status } from './emulator.js';
import { CORE_FOLDER, GAME_NAME, RETROARCH_CONFIG, RETROARCH_SHADER, STATE_FOLDER } from './paths.js';

/** The last chunk of an uncompressed state. */
const STATE_END = Buffer.from('END \0\0\0\0');

/** The core of Berth's own (images/console/psx), which changes discs. */
const PSX = 'mednafen_psx';

/** What is plugged in instead of the default pad, by core: for the ps1, the pad with sticks, for each player. */
const PADS: Readonly<Record<string, readonly string[]>> = {
  [PSX]: Array.from({ length: PLAYERS }, (_, i) => `--device=${i + 1}:517`),
};

/** Answers after which it has certainly processed a command to pause or resume. */
const ANSWERS_PER_TOGGLE = 5;

/** RetroArch with a libretro core. */
export class RetroArch implements Emulator {
  readonly core: string;
  readonly statePath = `${STATE_FOLDER}/${GAME_NAME}.state`;
  readonly discs?: (disc?: number) => Promise<DiscInside | null>;
  readonly #fastChanged: (isFast: boolean) => void;
  #isFast: boolean;

  /**
   * `isFast`: whether the process already fast-forwards, which it cannot be asked; `fastChanged` is called on changes.
   */
  constructor(core: string, isFast: boolean, fastChanged: (isFast: boolean) => void) {
    this.core = core;
    this.#isFast = isFast;
    this.#fastChanged = fastChanged;
    if (core === PSX) this.discs = disc => this.#discs(disc);
  }

  command({ path }: Cartridge, env: Record<string, string>) {
    const library = `${CORE_FOLDER}/${this.core}_libretro.so`;
    const options = [
      '-c',
      RETROARCH_CONFIG,
      '--set-shader',
      RETROARCH_SHADER,
      '-L',
      library,
      ...(PADS[this.core] ?? []),
    ];
    return { file: 'retroarch', args: [...options, path], env };
  }

  save(): Promise<void> {
    return command('SAVE_STATE');
  }

  async isWhole(content: Buffer): Promise<boolean> {
    return content.subarray(-STATE_END.length).equals(STATE_END);
  }

  load(): Promise<void> {
    return command('LOAD_STATE');
  }

  async pause(on: boolean, ended: AbortSignal): Promise<boolean> {
    // It has one command that toggles, and takes two of them between two frames for one.
    let answers = ANSWERS_PER_TOGGLE;
    return reachesStatus(on ? 'paused' : 'playing', ended, async () => {
      if (answers++ < ANSWERS_PER_TOGGLE) return;
      answers = 0;
      await command('PAUSE_TOGGLE');
    });
  }

  async show(): Promise<void> {
    await command('FRAMEADVANCE');
  }

  async fastForward(on: boolean): Promise<void> {
    if (on === this.#isFast) return;
    await command('FAST_FORWARD');
    this.#isFast = on;
    this.#fastChanged(on);
    // It would ignore a second command between the same two frames. It answers between frames.
    for (let frame = 0; frame < 2; frame++) await askStatus();
  }

  reset(): Promise<void> {
    return command('RESET');
  }

  status(): Promise<Status> {
    return askStatus();
  }

  /** The core answers with its next frame, which a paused game has only if it is told to. */
  async #discs(disc: number | undefined): Promise<DiscInside | null> {
    const answer = askCore(disc);
    if ((await askStatus()) === 'paused') await this.show();
    return answer;
  }
}
