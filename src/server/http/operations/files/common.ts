import { HttpError, kindOf, type Session } from '../../../model/index.js';
import { ADMIN_ERRORS, AGENT_ERRORS } from '../errors.js';

/** A file for examples. */
export const FILE = 'kx1M3q8cJ6Zp0aVt';

export const BINARY = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

/** What all operations with files have in common. */
export const common = { tag: 'Session files', credential: 'viewer' } as const;

export const ERRORS = [...ADMIN_ERRORS, ...AGENT_ERRORS, 'ticket_invalid', 'role_required', 'not_a_browser'] as const;

/** Only browsers have downloads. @throws HttpError */
export function requireDownloads({ launch }: Session): void {
  if (kindOf(launch.kind).calls !== 'browser') throw new HttpError('not_a_browser');
}

/** Consoles take no files. @throws HttpError */
export function requireUploads({ launch }: Session): void {
  if (!kindOf(launch.kind).uploads) throw new HttpError('not_a_browser', { message: 'This session takes no files.' });
}
