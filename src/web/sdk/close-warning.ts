import type { ToViewer } from '../../protocol/generated/schemas.js';
import type { CloseWarningEvent } from './options.js';

/** What the page is told of a warning; null: it was cancelled. */
export function warningOf(message: Extract<ToViewer, { type: 'warning' }>): CloseWarningEvent | null {
  const { timeout, delay_ms: delay } = message;
  if (timeout === undefined || delay === undefined) return null;
  const closeDate = message.close_date ?? new Date(Date.now() + delay).toISOString();
  return { type: timeout, deadline: { delay, closeDate } };
}
