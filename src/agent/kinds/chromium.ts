import type { LaunchChromium } from '../../protocol/generated/schemas.js';
import { withoutPassword } from '../browser/launch/http-proxy.js';
import { BrowserSession } from '../browser/session.js';
import type { Kind } from './kind.js';

/** A browser. */
export const chromium: Kind<LaunchChromium> = {
  program: (launch, parts) => new BrowserSession(launch, parts),
  lasting: withoutPassword,
};
