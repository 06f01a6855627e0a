/** A key that a start came with, so that repeating it starts nothing. */
export interface IdempotencyKey {
  /** Digest of the key, and of whose it is. */
  readonly id: string;
  /** Digest of the request that it came with. */
  readonly request: string;
  readonly tenantId: string | null;
}

/** How long keys are kept, milliseconds. */
export const KEY_LIFE_MS = 24 * 60 * 60_000;
