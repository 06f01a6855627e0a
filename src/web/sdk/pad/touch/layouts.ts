import type { ConsoleKind } from '../../../../protocol/generated/schemas.js';
import type { Layout } from './layout.js';
import { N64 } from './n64.js';
import { NES } from './nes.js';
import { PS1 } from './ps1.js';
import { SNES } from './snes.js';

/** The on-screen pad of each console. */
export const LAYOUTS: Readonly<Record<ConsoleKind, Layout>> = { nes: NES, snes: SNES, n64: N64, ps1: PS1 };
