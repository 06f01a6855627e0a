import { anyConsole } from './console.js';
import type { Kind } from './kind.js';

/** PlayStation; the operator may provide a real one's BIOS. */
export const ps1: Kind = { ...anyConsole, host: { ...anyConsole.host, bios: true } };
