import type { Operation } from '../table/operation.js';
import { address } from './address.js';
import { accessCalls } from './calls/access.js';
import { androidCalls } from './calls/android.js';
import { fileCalls, tabCalls } from './calls/browser.js';
import { consoleCalls } from './calls/console.js';
import { downloads } from './files/downloads.js';
import { uploads } from './files/uploads.js';
import { service } from './service.js';
import { bookmarks } from './session/bookmarks.js';
import { screenshot } from './session/screenshot.js';
import { timeouts } from './session/timeouts.js';
import { tokens } from './session/tokens.js';
import { users } from './session/users.js';
import { sessions } from './sessions/sessions.js';
import { usage } from './sessions/usage.js';
import { androidStarts } from './starts/android.js';
import { chromiumStarts } from './starts/chromium.js';
import { consoleStarts } from './starts/console.js';

/** Every operation of the interface, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = [
  ...chromiumStarts,
  ...sessions,
  ...consoleStarts,
  ...androidStarts,
  ...usage,
  ...address,
  ...tabCalls,
  ...accessCalls,
  ...fileCalls,
  ...consoleCalls,
  ...androidCalls,
  ...downloads,
  ...uploads,
  ...users,
  ...timeouts,
  ...tokens,
  ...bookmarks,
  ...screenshot,
  ...service,
];
