import { LINK_VERSION } from '../../protocol/link-proof.js';
import type { EmulatorConfig, RomConfig } from '../config/index.js';
import { type Kind, kindOf } from '../model/index.js';
import type { ContainerRequest } from './engine.js';

/** Environment variables of a session's container, for its agent; `caCertificates`: as PEM. */
export const agentEnvironment = (
  { linkSecret, preparation }: ContainerRequest,
  caCertificates: readonly string[],
): Record<string, string> => ({
  BERTH_LINK_SECRET: linkSecret,
  BERTH_LINK_VERSION: String(LINK_VERSION),
  ...(preparation === undefined ? {} : { BERTH_PREPARE: JSON.stringify(preparation) }),
  ...(caCertificates.length === 0 ? {} : { BERTH_CA_CERTIFICATES: caCertificates.map(inBase64).join() }),
});

/** A certificate in base64, as Chromium's policies have it. */
const inBase64 = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '');

/**
 * Space per game, in tenths of the largest one: packed and unpacked together, or a disc and its copy in longer sectors
 * (2352 instead of 2048 bytes).
 */
const TENTHS = 22;

/** Memory that a game may take on top of the session's limit, MiB; 0 if the kind has no games. */
export function gameSpaceMb(kind: Kind, { maxBytes }: Pick<RomConfig, 'maxBytes'>): number {
  return kind.content === 'game' ? Math.ceil((TENTHS * maxBytes) / 2 ** 20 / 10) + 1 : 0;
}

/** Where an emulator's container has the device's data. */
export const AVD_PATH = '/avd';

/** Space for the emulator's files other than the device's data, MiB. */
const AVD_EXTRA_MB = 1024;

/** Whether a session has its device in its own container. */
export const hasEmulator = ({ kind, adb }: ContainerRequest): boolean => kindOf(kind).device && adb === undefined;

/** Space for an emulator, MiB: it keeps the device's data and a copy of what changed in it. */
export const avdMb = ({ diskMb }: EmulatorConfig): number => 2 * diskMb + AVD_EXTRA_MB;
