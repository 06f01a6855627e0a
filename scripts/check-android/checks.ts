import { picture, scrcpy, sound, sps } from './media.js';
import { ownFlag, opens } from './machine.js';
import { installs, rotates, store, touches, types } from './use.js';
import { type Check, skip } from '../lib/checks.js';
import type { Trial } from './trial.js';
import { egress, memory } from './walls.js';
import { setTimeout as sleep } from 'node:timers/promises';

const KVM = '/dev/kvm';
const POLL_MS = 200;

/** Time beyond the agent's own deadlines after which a session counts as stuck, milliseconds. */
const SLACK_MS = 30_000;

const NOT_HERE = skip('The devices are those of a pool.');

/** The checks, in their order. */
export const checks: readonly Check<Trial>[] = [
  { name: 'processor flags', run: ({ isPool }) => (isPool ? NOT_HERE : ownFlag()) },
  { name: KVM, run: kvm },
  { name: 'guest', needs: ['processor flags', KVM], run: guest },
  { name: 'adb', needs: ['guest'], run: adb },
  { name: 'scrcpy version', needs: ['adb'], run: scrcpy },
  { name: 'first picture', needs: ['scrcpy version'], run: picture },
  { name: 'SPS', needs: ['first picture'], run: sps },
  { name: 'sound', needs: ['first picture'], run: sound },
  { name: 'touch', needs: ['first picture'], run: touches },
  { name: 'rotation', needs: ['first picture'], run: rotates },
  { name: 'Unicode text', needs: ['first picture'], run: types },
  { name: 'install', needs: ['first picture'], run: installs },
  { name: 'store', needs: ['first picture'], run: store },
  { name: 'egress', needs: ['guest'], run: egress },
  { name: 'memory', needs: ['guest'], run: memory },
  { name: 'boot seconds', needs: ['guest'], run: bootSeconds },
];

function kvm({ isPool, config, instance }: Trial) {
  if (isPool) return NOT_HERE;
  const image = `${config.imagePrefix}/android:latest`;
  const group = config.android.emulator.kvmGroup;
  return opens({ image, device: KVM, group, container: `${instance}-kvm` });
}

/** Starts a session, and waits until its device has booted. */
async function guest(trial: Trial): Promise<string> {
  await trial.start();
  const { connect, boot } = trial.config.android.deadlines;
  const end = trial.begun + connect + boot + SLACK_MS;
  while (trial.device === undefined) {
    trial.checkLife();
    if (performance.now() > end) throw new Error('The session neither had a device nor ended.');
    await sleep(POLL_MS);
  }
  trial.bootMs = performance.now() - trial.begun;
  const { android, api_level } = trial.device;
  return `Android ${android} (API level ${api_level}) booted ${trial.isPool ? 'on a device of the pool' : "in the session's own container"}.`;
}

async function adb(trial: Trial): Promise<string> {
  await trial.connect();
  const model = await trial.shell.ask(['getprop', 'ro.product.model']);
  return `The device, ${model}, takes the session's key.`;
}

function bootSeconds({ bootMs = NaN, pictureMs, config, isPool }: Trial): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const shown = pictureMs === undefined ? '' : `, and showed its first picture after ${seconds(pictureMs)}`;
  const deadline = config.android.deadlines.boot;
  if (!isPool && bootMs > deadline)
    throw new Error(`Booting took ${seconds(bootMs)}, with ${seconds(deadline)} allowed.`);
  return `The device had booted after ${seconds(bootMs)}${shown}.`;
}
