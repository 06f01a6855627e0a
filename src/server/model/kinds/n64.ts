import { anyConsole } from './console.js';
import type { Kind } from './kind.js';

/** Nintendo 64. */
export const n64: Kind = anyConsole;
