import type { components } from '../protocol/generated/openapi.js';

type ErrorBody = components['schemas']['ErrorBody'];

/**
 * The codes of errors: those of the service's table, and `unexpected_answer` for answers that did not come from the
 * service. A later version may have others.
 */
export type ErrorCode = components['schemas']['ErrorCode'] | 'unexpected_answer';

/** One invalid field of a request: a JSON pointer to it, and what it must be. */
export type Problem = NonNullable<ErrorBody['details']>[number];

/** An error returned by the service, or an answer that did not come from the service. */
export class BerthError extends Error {
  override readonly name = 'BerthError';
  /** An ErrorCode, or one that this version of the client does not know. */
  readonly code: ErrorCode | (string & {});
  /** HTTP status. */
  readonly status: number;
  /** The invalid fields. */
  readonly details: readonly Problem[];
  /** Seconds to wait before retrying, if the service said so. */
  readonly retryAfter: number | null;

  constructor(status: number, body: ErrorBody, retryAfter: number | null = null) {
    const fields = (body.details ?? []).map(({ path, message }) => ` ${path} ${message}.`);
    super(`${body.message}${fields.join('')}`);
    this.code = body.code;
    this.status = status;
    this.details = body.details ?? [];
    this.retryAfter = retryAfter;
  }
}

/** Seconds in a `Retry-After` header; null if absent or invalid. */
export function secondsOf(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}
