export { type CachedRom, RomCache } from './cache.js';
export { RomLibrary } from './library.js';
export { RomError } from './problem.js';
export { romRefusal, type Wanted } from './request.js';
export { DamagedRom, verified } from './verified.js';
