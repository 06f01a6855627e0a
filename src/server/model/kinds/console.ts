import type { StartConsole } from '../../../protocol/generated/schemas.js';
import type { Problem } from '../../../protocol/validation.js';
import { areaProblems, sessionOrder, type Order } from './order.js';
import { profileOptions } from './profile.js';

/** Consoles draw sixty pictures a second. */
const DEFAULT_FPS = 60;

/** What a schema cannot say about a start request. */
export function consoleProblems(request: StartConsole): Problem[] {
  const { room_url: room, rom_url: rom } = request;
  if (room === undefined && rom === undefined) return [{ path: '/room_url', message: 'is required' }];
  if (room !== undefined && rom !== undefined && room !== rom) {
    return [{ path: '/rom_url', message: 'must be the same as room_url, of which it is an alias' }];
  }
  return areaProblems(request);
}

/** Turns a valid request into an order. `maxBytes` is the size of the largest game, unpacked. */
export function consoleOrder(request: StartConsole, maxBytes: number): Order {
  const { display, ...order } = sessionOrder(request, { fps: DEFAULT_FPS, hideCursor: true });
  return {
    ...order,
    launch: {
      type: 'launch',
      kind: request.type,
      display,
      console: { max_bytes: maxBytes, ...profileOptions(order.profile) },
    },
    rom: request.room_url ?? request.rom_url ?? null,
  };
}
