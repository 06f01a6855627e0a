import { android } from './android.js';
import { chromium } from './chromium.js';
import { n64, nes, ps1, snes } from './console.js';
import type { Kind, KindName, ProfileKind, ProfileTraits, Start } from './kind.js';

/** Every kind of session. */
const KINDS = { chromium, nes, snes, n64, ps1, android } satisfies Record<KindName, Kind>;

/** The definition of a kind. */
export const kindOf = (name: KindName): Kind => KINDS[name];

export const kindNames = Object.keys(KINDS) as readonly KindName[];

/** How sessions are started, of every kind. */
export const starts: readonly Start[] = [...new Set(kindNames.map(name => kindOf(name).start))];

/** What profiles that hold this are like. */
export function profileTraits(held: ProfileKind): ProfileTraits {
  const traits = kindNames.map(name => kindOf(name).profile).find(({ kind }) => kind === held);
  if (traits === undefined) throw new Error(`No kind of session has profiles of ${held}.`);
  return traits;
}

/** The session images, without the name prefix. */
export const sessionImages: readonly string[] = imagesOf(kindNames.map(kindOf));

/** Those that run in Pods of any cluster. */
export const podImages: readonly string[] = imagesOf(kindNames.map(kindOf).filter(({ pods }) => pods));

function imagesOf(kinds: readonly Kind[]): string[] {
  return [...new Set(kinds.flatMap(({ image, adbImage = image }) => [image, adbImage]))];
}
