import type { LaunchChromium } from '../../protocol/generated/schemas.js';
import { withoutPassword } from '../browser/launch/http-proxy.js';
import { BrowserSession } from '../browser/session.js';
import type { Kind } from './kind.js';

/** A browser. */
export const chromium: Kind<LaunchChromium> = {
  program: (launch, options) => new BrowserSession(launch, options),
  withoutSecrets: withoutPassword,
};
