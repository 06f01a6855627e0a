import type { Launch } from '../../protocol/generated/schemas.js';
import { isPreparable, type Preparation } from '../../protocol/preparation.js';
import isToAgent from '../../protocol/generated/to-agent.js';
import type { Handover } from '../handover/handover.js';

const NAME = 'launch';
const isLaunch = (value: unknown): value is Launch => isToAgent(value) && (value as Launch).type === 'launch';

/** Parses the preparation in the environment of a warm container; undefined if it is none. */
export function preparationIn(text: string | undefined): Preparation | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isLaunch(value) && isPreparable(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a launch without secrets, which the service sends every agent again. */
export const storeLaunch = (handover: Handover, launch: Launch): void => handover.write(NAME, launch);

/** The launch stored by the previous agent; undefined if there is none. */
export const storedLaunch = (handover: Handover): Launch | undefined => handover.read(NAME, isLaunch);
