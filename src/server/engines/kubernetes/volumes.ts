import type { V1Volume, V1VolumeMount } from '@kubernetes/client-node';
import type { ContainerLimits } from '../../config/index.js';

/** What PulseAudio's socket, Chromium's policies and the agent's notes take. */
const RUN_MB = 16;

/**
 * The writable places of the read-only container, all in memory and limited in size. Where they are mounted belongs to
 * root: the image's start script makes the folders of its user in `/run` and `/home`.
 */
export function volumes(limits: ContainerLimits, gameMb: number): { volumes: V1Volume[]; mounts: V1VolumeMount[] } {
  const places = [
    { name: 'shm', mountPath: '/dev/shm', mb: limits.shmMb },
    { name: 'tmp', mountPath: '/tmp', mb: limits.tmpMb },
    { name: 'run', mountPath: '/run', mb: RUN_MB },
    { name: 'home', mountPath: '/home', mb: limits.homeMb },
    ...(gameMb === 0 ? [] : [{ name: 'game', mountPath: '/rom', mb: gameMb }]),
  ];
  return {
    volumes: places.map(({ name, mb }) => ({ name, emptyDir: { medium: 'Memory', sizeLimit: `${mb}Mi` } })),
    mounts: places.map(({ name, mountPath }) => ({ name, mountPath })),
  };
}
