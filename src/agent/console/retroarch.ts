import { ask, command } from './commands.js';
import { AUTOMATIC_SLOT, type Cartridge, type Emulator } from './emulator.js';
import { CORE_FOLDER, GAME_NAME, RETROARCH_CONFIG, STATE_FOLDER } from './paths.js';
import { coreOf } from './cores.js';

/** RetroArch with a core. It has no command to choose a slot, only to go one up or down. */
export class RetroArch implements Emulator {
  #slot = 0;
  #isFast = false;

  command({ kind, path }: Cartridge, env: Record<string, string>) {
    const core = `${CORE_FOLDER}/${coreOf(kind) ?? ''}_libretro.so`;
    return { file: 'retroarch', args: ['-c', RETROARCH_CONFIG, '-L', core, path], env };
  }

  statePath(slot: number): string {
    const suffix = slot === AUTOMATIC_SLOT ? '.auto' : slot === 0 ? '' : String(slot);
    return `${STATE_FOLDER}/${GAME_NAME}.state${suffix}`;
  }

  async save(slot: number): Promise<void> {
    await this.#choose(slot);
    await command('SAVE_STATE');
  }

  async load(slot: number): Promise<void> {
    await this.#choose(slot);
    await command('LOAD_STATE');
  }

  reset(): Promise<void> {
    return command('RESET');
  }

  togglePause(): Promise<void> {
    return command('PAUSE_TOGGLE');
  }

  async fastForward(on: boolean): Promise<void> {
    if (on === this.#isFast) return;
    this.#isFast = on;
    await command('FAST_FORWARD');
  }

  async status(): Promise<'playing' | 'paused' | null> {
    const answer = await ask('GET_STATUS');
    if (answer?.startsWith('GET_STATUS PLAYING')) return 'playing';
    return answer?.startsWith('GET_STATUS PAUSED') ? 'paused' : null;
  }

  async #choose(slot: number): Promise<void> {
    for (; this.#slot < slot; this.#slot++) await command('STATE_SLOT_PLUS');
    for (; this.#slot > slot; this.#slot--) await command('STATE_SLOT_MINUS');
  }
}
