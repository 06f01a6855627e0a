import type { Operation } from '../table/operation.js';
import { bookmarks } from './bookmarks.js';
import { calls } from './calls.js';
import { clipboard } from './clipboard.js';
import { events } from './events.js';
import { downloads, uploads } from './files.js';
import { home } from './home.js';
import { player } from './player.js';
import { profiles } from './profiles.js';
import { screenshot } from './screenshot.js';
import { service } from './service.js';
import { sessions, usage } from './sessions.js';
import { starts } from './starts.js';
import { tenants } from './tenants.js';
import { timeouts } from './timeouts.js';
import { tokens } from './tokens.js';
import { users } from './users.js';

/** Every operation of the interface, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = [
  ...starts,
  ...sessions,
  ...usage,
  ...profiles,
  ...tenants,
  ...events,
  ...player,
  ...calls,
  ...downloads,
  ...uploads,
  ...clipboard,
  ...users,
  ...timeouts,
  ...tokens,
  ...bookmarks,
  ...screenshot,
  ...service,
  ...home,
];
