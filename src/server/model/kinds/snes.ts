import { anyConsole } from './console.js';
import type { Kind } from './kind.js';

/** Super Nintendo Entertainment System. */
export const snes: Kind = anyConsole;
