import type { Launch } from '../../../protocol/generated/schemas.js';

/** The image of a kind of session, without the prefix. */
export function imageOf(kind: Launch['kind']): string {
  return kind === 'chromium' ? 'chromium' : 'console';
}
