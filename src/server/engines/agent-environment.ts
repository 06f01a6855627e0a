import { LINK_VERSION } from '../../protocol/link-proof.js';
import type { ContainerRequest } from './engine.js';

/** What a session's container is told through its environment. */
export const agentEnvironment = ({ linkSecret, preparation }: ContainerRequest): Record<string, string> => ({
  BERTH_LINK_SECRET: linkSecret,
  BERTH_LINK_VERSION: String(LINK_VERSION),
  ...(preparation === undefined ? {} : { BERTH_PREPARE: JSON.stringify(preparation) }),
});
