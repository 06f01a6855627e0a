import { setTimeout as delay } from 'node:timers/promises';
import type { Adb } from '@yume-chan/adb';
import { connectAdb } from '../../../../adb/connect.js';
import { adbKeys } from '../../../../adb/keys.js';
import { Shell } from '../../../../adb/shell.js';
import { administrators, appData, disabled, installed, users } from './apps.js';
import { files } from './files.js';
import { display, goHome, notifications, recents } from './screen.js';
import { settings } from './settings.js';
import type { ResetStep } from './step.js';
import { accounts, certificates, logs, processes, screenLock, vpn } from './system.js';

/** What a device had before its first session, by the name of a step: what its operator put there. */
export type Baseline = Readonly<Record<string, readonly string[]>>;

/** First what could interfere with the rest, last what the rest leaves traces in. */
const STEPS: readonly ResetStep[] = [
  processes,
  users,
  administrators,
  installed,
  disabled,
  appData,
  recents,
  notifications,
  accounts,
  certificates,
  screenLock,
  vpn,
  settings,
  files,
  display,
  logs,
];

/** Bytes that a device may send during a reset: its lists and reports are a few megabytes. */
const MAX_BYTES = 64 << 20;

/** Milliseconds between attempts to reach a device, and questions whether it has booted. */
const PAUSE = 500;

/** The most that is told of what is left on a device, characters. */
const TELL_MAX = 500;

/** A device still has what a session left on it. */
export class DeviceUnclean extends Error {
  override readonly name = 'DeviceUnclean';
}

export interface DeviceAccess {
  readonly host: string;
  readonly port: number;
  /** The key that the device trusts; null: it needs none. */
  readonly key: string | null;
  /** Milliseconds until it must have answered and booted. */
  readonly patience: number;
}

/**
 * Makes a device what it was before its first session. `before`: what it was; what is not known of it yet is noted now.
 * @returns what it was
 * @throws DeviceUnclean with what is left, ShellError, or what the connection reports
 */
export async function resetDevice(access: DeviceAccess, before: Baseline, signal: AbortSignal): Promise<Baseline> {
  const adb = await connectBooted(access, signal);
  const close = () => void adb.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    return await run(new Shell(adb), before, signal);
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

/** Runs all steps, whatever becomes of single ones. */
async function run(shell: Shell, before: Baseline, signal: AbortSignal): Promise<Baseline> {
  const baseline: Record<string, readonly string[]> = { ...before };
  const failures: string[] = [];
  for (const step of STEPS) {
    signal.throwIfAborted();
    try {
      baseline[step.name] ??= await step.note(shell);
      const left = await step.clear(shell, new Set(baseline[step.name]));
      if (left.length > 0) failures.push(`${step.name}: ${left.slice(0, 5).join(', ')}`);
    } catch (error) {
      failures.push(`${step.name}: ${(error as Error).message}`);
    }
  }
  await goHome(shell);
  signal.throwIfAborted();
  if (failures.length > 0) throw new DeviceUnclean(printable(failures.join('; ')).slice(0, TELL_MAX));
  return baseline;
}

/** Connects to a device that may be booting. */
async function connectBooted({ host, port, key, patience }: DeviceAccess, signal: AbortSignal): Promise<Adb> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  for (;;) {
    let adb: Adb | undefined;
    try {
      adb = await connectAdb({ host, port }, adbKeys(key ?? undefined), late, { maxBytes: MAX_BYTES });
      if ((await new Shell(adb).ask(['getprop', 'sys.boot_completed'])) === '1') return adb;
      throw new Error('The device has not booted.');
    } catch (error) {
      void adb?.close();
      if (late.aborted) throw error;
    }
    await delay(PAUSE, undefined, { signal: late }).catch(() => undefined);
  }
}

/** What a device says goes to the log, without what could change how that is shown. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]/g, '?');
