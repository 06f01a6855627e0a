import type { StartConsole } from '../../../protocol/generated/schemas.js';
import { CLIPBOARD_MAX_BYTES } from '../../../protocol/message-type.js';
import type { Problem } from '../../../protocol/validation.js';
import type { Kind, Start } from './kind.js';
import { areaProblems, sessionSpec, type StartSettings, type StartSpec } from './start-spec.js';
import { profileOptions } from './profile.js';

/** Starting a console; the request says which. */
const start: Start<StartConsole> = {
  operations: [
    { path: '/console', id: 'startConsole', summary: 'Start a console' },
    { path: '/v0/console', id: 'startConsoleV0', summary: 'Start a console (alias)' },
  ],
  description: 'Answers when the session runs; only then is its game fetched from `room_url`.',
  schema: 'start-console.json',
  required: true,
  example: { type: 'nes', room_url: 'https://games.example.com/homebrew.nes' },
  takesExtension: false,
  errors: ['rom_refused'],
  problems,
  spec,
  content: ({ room_url: room }) => ({ path: room === undefined ? '/rom_url' : '/room_url', refused: 'rom_refused' }),
};

/** The common properties of all consoles, which are played with pads and have no pointer. */
const anyConsole: Kind = {
  image: 'console',
  start,
  profile: { kind: 'console', owner: 'a console', attemptMs: 120_000, checkpoints: true, space: 'home' },
  seats: 4,
  gestures: () => ({}),
  pageTouch: () => false,
  withoutSecrets: launch => launch,
  pods: true,
  warmPool: 'after use',
  host: { graphicsCard: false, bios: false },
  resizable: true,
  clipboardBytes: CLIPBOARD_MAX_BYTES,
  clipboardContent: false,
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
function problems(request: StartConsole): Problem[] {
  const { room_url: room, rom_url: rom } = request;
  if (room === undefined && rom === undefined) return [{ path: '/room_url', message: 'is required' }];
  if (room !== undefined && rom !== undefined && room !== rom) {
    return [{ path: '/rom_url', message: 'must be the same as room_url, of which it is an alias' }];
  }
  return areaProblems(request);
}

/** Turns a valid request into a start spec, filling in the defaults. */
function spec(request: StartConsole, { roms }: StartSettings): StartSpec {
  const { display, ...spec } = sessionSpec(request, { fps: 60, hideCursor: true });
  return {
    ...spec,
    launch: {
      type: 'launch',
      kind: request.type,
      display,
      console: { max_bytes: roms.maxBytes, ...profileOptions(spec.profile) },
    },
    rom: request.room_url ?? request.rom_url ?? null,
  };
}
