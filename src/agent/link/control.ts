import type { ToAgent } from '../../protocol/generated/schemas.js';
import isToAgent from '../../protocol/generated/to-agent.js';

/** Parses a control message of the service; null where it is not a valid one. */
export function parseControl(text: string): ToAgent | null {
  try {
    const message: unknown = JSON.parse(text);
    return isToAgent(message) ? message : null;
  } catch {
    return null;
  }
}
