import type { Launch } from '../../protocol/generated/schemas.js';
import isToAgent from '../../protocol/generated/to-agent.js';
import { withoutPassword } from '../browser/launch/http-proxy.js';
import type { Handover } from './handover.js';

const NAME = 'launch';
const isLaunch = (value: unknown): value is Launch => isToAgent(value) && (value as Launch).type === 'launch';

/** Leaves what the session is, but for the password that proxies are told: the service tells it each agent again. */
export const leaveLaunch = (handover: Handover, launch: Launch): void => handover.write(NAME, withoutPassword(launch));

/** What the session is that an agent before has launched; undefined where none has. */
export const leftLaunch = (handover: Handover): Launch | undefined => handover.read(NAME, isLaunch);
