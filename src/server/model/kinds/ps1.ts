import { anyConsole } from './console.js';
import type { Kind } from './kind.js';

/** PlayStation; the operator may give it the BIOS of a real one. */
export const ps1: Kind = { ...anyConsole, host: { ...anyConsole.host, bios: true } };
