import { setTimeout as sleep } from 'node:timers/promises';
import { DEVICE_FOLDER } from '../../src/agent/android/apps/apps.js';
import { NalType, nalType, nalUnits } from '../../src/h264/nal.js';
import { parseSps } from '../../src/h264/sps.js';
import { readVui } from '../../src/h264/vui.js';
import { MessageType } from '../../src/protocol/message-type.js';
import { type Result, skip } from '../lib/checks.js';
import type { Trial } from './trial.js';

const VERSION = '3.3.3';
const POLL_MS = 50;

/** Milliseconds that the picture may take beyond the agent's own deadline, and that sound may take. */
const SLACK_MS = 30_000;
const SOUND_MS = 10_000;

/** Packets after which sound counts as received. */
const PACKETS = 10;

/** Waits for the picture, or for the session's end: the server is there from then on. */
export async function scrcpy(trial: Trial): Promise<string> {
  await firstKey(trial);
  const { text } = await trial.shell.run([
    'sh',
    '-c',
    `CLASSPATH=${DEVICE_FOLDER}/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 0`,
  ]);
  const version = /server version \(([^)]{1,20})\)/.exec(text)?.[1];
  if (version !== VERSION)
    throw new Error(`The device's scrcpy server is of version ${version ?? 'unknown'}, not ${VERSION}.`);
  return `scrcpy's server ${VERSION} runs on the device.`;
}

export async function picture(trial: Trial): Promise<string> {
  await firstKey(trial);
  const { width, height } = trial.viewer.all('display').at(-1) ?? {};
  return `A viewer got a key frame of ${width} x ${height} pixels.`;
}

async function firstKey(trial: Trial): Promise<void> {
  const end = performance.now() + trial.config.android.deadlines.picture + SLACK_MS;
  while (trial.viewer.frames.length === 0) {
    trial.checkLife();
    if (performance.now() > end) throw new Error('No picture came.');
    await sleep(POLL_MS);
  }
  trial.pictureMs ??= (trial.viewer.frames[0]?.at ?? 0) - trial.begun;
}

/** Reads the parameters of a key frame. */
export async function sps({ viewer, session }: Trial): Promise<string> {
  const late = await session.join();
  try {
    const key = await new Promise<Buffer>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('A late viewer got no key frame.')), SOUND_MS);
      late.onFrame = (frame, message) => {
        if (!frame.key) return;
        clearTimeout(timer);
        resolve(message);
      };
    });
    const units = nalUnits(key);
    const kinds = units.map(nalType);
    const unit = units[kinds.indexOf(NalType.sps)];
    const sps = unit && parseSps(unit);
    if (!sps || !kinds.includes(NalType.pps)) throw new Error('A key frame has no SPS or no PPS before it.');
    const { width, height } = sps;
    const told = viewer.all('display').at(-1);
    if (width !== told?.width || height !== told.height)
      throw new Error(`The SPS says ${width} x ${height}, but viewers were told ${told?.width} x ${told?.height}.`);
    if (readVui(unit, sps)?.reorderFrames !== 0) throw new Error('The SPS lets decoders hold frames back.');
    return `The SPS says ${width} x ${height}, and that no frame is held back.`;
  } finally {
    late.leave();
  }
}

export async function sound({ viewer, device }: Trial): Promise<string | Result> {
  if (device?.sound !== true) return skip(`Android ${device?.android} has no sound for scrcpy; 11 has.`);
  const packets = () => viewer.binary.filter(([type]) => type === MessageType.audio).length;
  const end = performance.now() + SOUND_MS;
  while (packets() < PACKETS) {
    if (performance.now() > end) throw new Error(`${packets()} packets with sound came within ${SOUND_MS / 1000} s.`);
    await sleep(POLL_MS);
  }
  return 'Packets with sound came.';
}
