import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Makes a check of `Authorization: Bearer <secret>` headers that takes as long for any wrong one. */
export function authorization(secret: string): (header: string | undefined) => boolean {
  const expected = digest(`Bearer ${secret}`);
  return header => timingSafeEqual(digest(header ?? ''), expected);
}
