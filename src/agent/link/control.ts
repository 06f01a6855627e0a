import type { ToAgent } from '../../protocol/generated/schemas.js';
import isToAgent from '../../protocol/generated/to-agent.js';

/**
 * Why this agent cannot carry out a launch; null if the text is not a launch at all. `parseControl` has already found
 * it invalid.
 */
export function launchProblem(text: string): string | null {
  try {
    const message = JSON.parse(text) as { type?: unknown } | null;
    return message?.type === 'launch'
      ? 'The agent does not understand it; its image may be older than the service.'
      : null;
  } catch {
    return null;
  }
}

/** Parses a control message of the service; null if it is invalid. */
export function parseControl(text: string): ToAgent | null {
  try {
    const message: unknown = JSON.parse(text);
    return isToAgent(message) ? message : null;
  } catch {
    return null;
  }
}
