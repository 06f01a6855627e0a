import type { EmulatorConfig, GpuConfig } from '../../config/index.js';
import { EngineError } from '../engine.js';

/** The part of the engine's description that is used. */
export interface EngineInfo {
  NCPU?: number;
  /** Such as `name=apparmor`. */
  SecurityOptions?: string[] | null;
  Runtimes?: Record<string, unknown> | null;
}

/** The part of the engine's version that is used. */
export interface EngineVersion {
  /** What the engine is made of, by name. */
  Components?: readonly { Name?: string }[] | null;
}

/** Why sessions cannot run on an engine of this kind, as a sentence for the operator; null: they can. */
export function unfitIn({ Components: components }: EngineVersion): string | null {
  if (!components?.some(({ Name: name }) => name === 'Podman Engine')) return null;
  return "BERTH_REGIONS leads to Podman, whose Docker API takes no system call filter from a client, which sessions need; use Docker's own engine.";
}

/** The settings that require something of an engine. */
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

/** @throws EngineError if emulators cannot be given /dev/kvm */
export function checkKvmGroup({ kvmGroup }: EmulatorConfig): void {
  if (kvmGroup !== null) return;
  throw new EngineError(
    'unfit',
    'The emulator of an Android session cannot use /dev/kvm: it must be there, and its group, not root, must be allowed to read and write it; BERTH_ANDROID_KVM_GROUP names the group on machines of other engines.',
  );
}

/**
 * Explains why an engine could not give a container a device, the GPU or that for emulators; null if it failed for
 * another reason.
 */
export function deviceError(
  error: unknown,
  isEmulator: boolean,
  { gpu }: { gpu: GpuConfig | null },
): EngineError | null {
  const message = (error as Error | undefined)?.message ?? '';
  if (isEmulator && /quota/.test(message)) {
    return new EngineError(
      'unfit',
      'The container engine cannot keep the volume of an emulator to its size: keep its data on XFS with project quotas (pquota), or set BERTH_ANDROID_QUOTA=false.',
      error,
    );
  }
  if (!/gathering device information/.test(message)) return null;
  if (isEmulator) {
    return new EngineError(
      'unfit',
      "The container engine's machine has no /dev/kvm, which emulators need: use one that runs virtual machines, or devices with BERTH_ANDROID_DEVICES=adb.",
      error,
    );
  }
  if (gpu === null) return null;
  return new EngineError(
    'unfit',
    `BERTH_GPU is "${gpu.device}", but the container engine's machine has no such device; name the one that it has, or set BERTH_GPU=off.`,
    error,
  );
}
