import { AdbScrcpyOptions3_3_3 } from '@yume-chan/adb-scrcpy';

/** The purpose of a scrcpy server on the device: picture and input, or sound. */
export type ServerPurpose =
  | { readonly sends: 'picture'; readonly largestSide: number; readonly fps: number; readonly bitRate: number }
  | { readonly sends: 'sound' };

/** Bits per second of the sound. */
const SOUND_BIT_RATE = 128_000;

/** Options of all servers. At their end they restore nothing on the device: that is the agent's task. */
const COMMON = { sendDeviceMeta: false, cleanup: false, powerOn: false, stayAwake: false, logLevel: 'info' } as const;

/** The command line of a scrcpy server; `id` distinguishes its sockets from those of others on the device. */
export function serverOptions(purpose: ServerPurpose, id: string): AdbScrcpyOptions3_3_3<boolean> {
  if (purpose.sends === 'sound') {
    return new AdbScrcpyOptions3_3_3<boolean>({
      ...COMMON,
      scid: id,
      video: false,
      control: false,
      audioCodec: 'opus',
      audioBitRate: SOUND_BIT_RATE,
    });
  }
  const { largestSide, fps, bitRate } = purpose;
  return new AdbScrcpyOptions3_3_3<boolean>({
    ...COMMON,
    scid: id,
    audio: false,
    videoCodec: 'h264',
    videoBitRate: bitRate,
    maxSize: largestSide,
    maxFps: fps,
  });
}
