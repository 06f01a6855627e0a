import type { Operation } from '../operation.js';
import { address } from './address.js';
import { consoleCalls, consoleStarts } from './console.js';
import { control } from './session-control.js';
import { calls } from './session-calls.js';
import { files } from './session-files.js';
import { users } from './session-users.js';
import { service } from './service.js';
import { sessions } from './sessions.js';
import { usage } from './usage.js';

/** Every call of the interface, in the order of the document. */
export const operations: readonly Operation[] = [...sessions,
  ...consoleStarts, ...usage, ...address, ...calls,
  ...consoleCalls, ...files, ...users, ...control, ...service];
