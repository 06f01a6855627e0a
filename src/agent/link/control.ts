import type { ToAgent } from '../../protocol/generated/schemas.js';
import isToAgent from '../../protocol/generated/to-agent.js';

/**
 * Why a text is a launch that this agent cannot carry out; null where it is no launch at all. `parseControl` has found
 * that it is not a valid one.
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

/** Parses a control message of the service; null where it is not a valid one. */
export function parseControl(text: string): ToAgent | null {
  try {
    const message: unknown = JSON.parse(text);
    return isToAgent(message) ? message : null;
  } catch {
    return null;
  }
}
