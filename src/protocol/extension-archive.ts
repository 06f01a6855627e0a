import type { ZipLimits } from './zip.js';

/** Largest archive of a custom extension. */
export const EXTENSION_MAX_BYTES = 1 << 20;

/** Limits for an unpacked extension. */
export const EXTENSION_LIMITS: ZipLimits = { entries: 2000, bytes: 20 << 20 };
