import { Router } from 'express';
import type { Sessions } from '../../sessions/index.js';
import type { SessionStore } from '../../store/index.js';
import type { Addresses } from '../addresses.js';
import { sessionBookmarks } from './bookmarks.js';
import { sessionCalls } from './calls.js';
import { sessionDownloads } from './downloads.js';
import type { SessionGuard } from './guard.js';
import { sessionScreenshot } from './screenshot.js';
import { sessionTimeout } from './timeout.js';
import { sessionTokens } from './tokens.js';
import { sessionUploads } from './uploads.js';
import { sessionUsers } from './users.js';
import { fileGuard, viewerGuard } from './viewer-guard.js';

/** What a session's own address answers to holders of its admin token or an API key, and of files and pictures to viewers. */
export function sessionAddress(
  sessions: Sessions,
  store: SessionStore,
  guard: SessionGuard,
  addresses: Addresses,
  uploadMaxBytes: number,
): Router {
  const { hub } = sessions;
  const viewers = viewerGuard(hub, store, guard);
  const files = fileGuard(viewers);
  return Router().use(
    sessionUsers(hub, guard),
    sessionTimeout(sessions, guard),
    sessionTokens(sessions, guard, addresses),
    sessionBookmarks(hub, guard),
    sessionScreenshot(hub, viewers),
    sessionDownloads(hub, files),
    sessionUploads(hub, files, uploadMaxBytes),
    sessionCalls(hub, guard),
  );
}
