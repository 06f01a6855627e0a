import type { GpuConfig } from '../../config/index.js';
import { EngineError } from '../engine.js';

/** The part of the engine's description that is used. */
export interface EngineInfo {
  NCPU?: number;
  /** Such as `name=apparmor`. */
  SecurityOptions?: string[] | null;
  Runtimes?: Record<string, unknown> | null;
}

/** What the settings require of an engine. */
export interface Requirements {
  /** Null: no requirement. */
  apparmor: string | null;
  runtime: string | null;
}

/** The first setting that the engine cannot satisfy, as a sentence for the operator; null: none. */
export function missingIn(info: EngineInfo, { apparmor, runtime }: Requirements): string | null {
  const runtimes = Object.keys(info.Runtimes ?? {});
  if (runtime !== null && !runtimes.includes(runtime)) {
    return `BERTH_RUNTIME is "${runtime}", but the container engine knows only ${runtimes.join(', ')}; add it to "runtimes" in its daemon.json.`;
  }
  // Without AppArmor an engine accepts any profile name and ignores it.
  if (apparmor !== null && !info.SecurityOptions?.some(option => option.split(',').includes('name=apparmor'))) {
    return `BERTH_APPARMOR is "${apparmor}", but AppArmor is off where the container engine runs; switch it on, or leave the setting out.`;
  }
  return null;
}

/** Explains why an engine could not give a container the GPU; null if it failed for another reason. */
export function deviceError(error: unknown, { gpu }: { gpu: GpuConfig | null }): EngineError | null {
  if (gpu === null || !/gathering device information/.test((error as Error | undefined)?.message ?? '')) return null;
  return new EngineError(
    'unfit',
    `BERTH_GPU is "${gpu.device}", but the container engine's machine has no such device; name the one that it has, or set BERTH_GPU=off.`,
    error,
  );
}
