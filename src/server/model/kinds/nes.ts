import { anyConsole } from './console.js';
import type { Kind } from './kind.js';

/** Nintendo Entertainment System. */
export const nes: Kind = anyConsole;
