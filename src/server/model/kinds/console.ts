import type { StartConsole } from '../../../protocol/generated/schemas.js';
import { CLIPBOARD_MAX_BYTES } from '../../../protocol/message-type.js';
import type { Problem } from '../../../protocol/validation.js';
import type { Kind } from './kind.js';
import { areaProblems, sessionSpec, type StartSpec } from './start-spec.js';
import { profileOptions } from './profile.js';

/** The common properties of all consoles, which are played with pads and have no pointer. */
const anyConsole: Kind = {
  image: 'console',
  profile: 'console',
  defaults: { fps: 60, hideCursor: true },
  seats: 4,
  gestures: () => ({}),
  withoutSecrets: launch => launch,
  pods: true,
  warmPool: 'after use',
  host: { graphicsCard: false, bios: false },
  resizable: true,
  clipboardBytes: CLIPBOARD_MAX_BYTES,
  content: 'game',
  device: false,
  prepares: false,
};

/** Nintendo Entertainment System. */
export const nes: Kind = anyConsole;

/** Super Nintendo Entertainment System. */
export const snes: Kind = anyConsole;

/** Nintendo 64. */
export const n64: Kind = anyConsole;

/** PlayStation; the operator may provide a real one's BIOS. */
export const ps1: Kind = { ...anyConsole, host: { ...anyConsole.host, bios: true } };

/** Checks what a schema cannot express about a start request. */
export function consoleProblems(request: StartConsole): Problem[] {
  const { room_url: room, rom_url: rom } = request;
  if (room === undefined && rom === undefined) return [{ path: '/room_url', message: 'is required' }];
  if (room !== undefined && rom !== undefined && room !== rom) {
    return [{ path: '/rom_url', message: 'must be the same as room_url, of which it is an alias' }];
  }
  return areaProblems(request);
}

/** Turns a valid request into a start spec. `maxBytes` is the size of the largest game, unpacked. */
export function consoleSpec(request: StartConsole, maxBytes: number): StartSpec {
  const { display, ...spec } = sessionSpec(request, anyConsole.defaults);
  return {
    ...spec,
    launch: {
      type: 'launch',
      kind: request.type,
      display,
      console: { max_bytes: maxBytes, ...profileOptions(spec.profile) },
    },
    rom: request.room_url ?? request.rom_url ?? null,
  };
}
