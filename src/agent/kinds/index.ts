import type { Launch } from '../../protocol/generated/schemas.js';
import { android } from './android.js';
import { chromium } from './chromium.js';
import type { Kind } from './kind.js';
import { n64 } from './n64.js';
import { nes } from './nes.js';
import { ps1 } from './ps1.js';
import { snes } from './snes.js';

/** What sessions of a kind are launched with. */
type LaunchOf<K, L = Launch> = L extends { kind: infer Kinds } ? (K extends Kinds ? L : never) : never;

/** Every kind of session. */
export const KINDS = { chromium, nes, snes, n64, ps1, android } satisfies { [K in Launch['kind']]: Kind<LaunchOf<K>> };

/** What the kind of a launch is. */
export const kindOf = ({ kind }: Launch): Kind<Launch> => KINDS[kind];
