import type { V1Volume, V1VolumeMount } from '@kubernetes/client-node';
import type { ContainerLimits, EmulatorConfig } from '../../config/index.js';
import { AVD_PATH, avdMb } from '../container.js';

/** Size of /run, for PulseAudio's socket, Chromium's policies and the agent's state files, MiB. */
const RUN_MB = 16;

/**
 * The writable volumes of the read-only container, limited in size and all in memory, except that of an emulator's
 * device. Mount points belong to root: the image's start script creates its user's folders in `/run` and `/home`.
 */
export function volumes(
  limits: ContainerLimits,
  gameMb: number,
  emulator: EmulatorConfig | null,
): { volumes: V1Volume[]; mounts: V1VolumeMount[] } {
  const places = [
    { name: 'shm', mountPath: '/dev/shm', mb: limits.shmMb },
    { name: 'tmp', mountPath: '/tmp', mb: limits.tmpMb },
    { name: 'run', mountPath: '/run', mb: RUN_MB },
    { name: 'home', mountPath: '/home', mb: limits.homeMb },
    ...(gameMb === 0 ? [] : [{ name: 'game', mountPath: '/rom', mb: gameMb }]),
  ];
  const devices = emulator === null ? [] : [{ name: 'avd', mountPath: AVD_PATH, mb: avdMb(emulator) }];
  return {
    volumes: [
      ...places.map(({ name, mb }) => ({ name, emptyDir: { medium: 'Memory', sizeLimit: `${mb}Mi` } })),
      ...devices.map(({ name, mb }) => ({ name, emptyDir: { sizeLimit: `${mb}Mi` } })),
    ],
    mounts: [...places, ...devices].map(({ name, mountPath }) => ({ name, mountPath })),
  };
}
