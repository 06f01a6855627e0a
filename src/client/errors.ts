import type { components } from '../protocol/generated/openapi.js';

type ErrorBody = components['schemas']['ErrorBody'];

/** One thing wrong with a request: a JSON pointer to the field, and what it must be. */
export type Problem = NonNullable<ErrorBody['details']>[number];

/** An error that the service answered, or an answer that is not the service's. */
export class BerthError extends Error {
  override readonly name = 'BerthError';
  /** What went wrong, as in the service's table of errors; `unexpected_answer` where the answer is not the service's. */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  /** The fields that are wrong. */
  readonly details: readonly Problem[];
  /** Seconds to wait before the next try, where the service has told. */
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

/** Seconds in a `Retry-After` header; null where there are none. */
export function secondsOf(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}
