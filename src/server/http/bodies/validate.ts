import type { Request } from 'express';
import { validator, type Problem, type Result } from '../../../protocol/validation.js';
import { type ErrorCode, HttpError } from '../../model/index.js';

/** Validates what a client sent. Unknown fields are errors unless the client asks to ignore them. */
export interface RequestValidator<T> {
  (request: Request, value: unknown): T;
}

/** Makes a validator for the schema at `ref`; `more` checks what a schema cannot express. */
export function requestValidator<T>(
  ref: string,
  code: ErrorCode,
  more: (value: T) => Problem[] = () => [],
): RequestValidator<T> {
  const strict = validator<T>(ref);
  const lenient = validator<T>(ref, { removeAdditional: true });
  return (request, value) => {
    const result: Result<T> = prefersLenient(request) ? lenient(value) : strict(value);
    const problems = result.ok ? more(result.value) : result.problems;
    if (result.ok && problems.length === 0) return result.value;
    throw new HttpError(code, { details: problems });
  };
}

/** The preference of clients that send fields which this version may not know. */
export const LENIENT = 'handling=lenient';

/** Whether the client sent `Prefer: handling=lenient`. */
export function prefersLenient(request: Request): boolean {
  const preferences = (request.get('prefer') ?? '').split(',');
  return preferences.some(preference => /^\s*handling\s*=\s*"?lenient"?\s*(;|$)/i.test(preference));
}
