import { BerthError, secondsOf, type Problem } from './errors.js';

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a successful answer. @throws BerthError */
export function answer<T>({ data, error, response }: Outcome<T>): T {
  if (response.ok && data !== undefined) return data;
  const body = error as { code?: unknown; message?: unknown; details?: Problem[] } | undefined;
  const isOurs = typeof body?.code === 'string' && typeof body.message === 'string';
  throw new BerthError(
    response.status,
    isOurs
      ? (body as { code: string; message: string; details?: Problem[] })
      : {
          code: 'unexpected_answer',
          message: `The answer with status ${response.status} did not come from the service.`,
        },
    secondsOf(response.headers.get('retry-after')),
  );
}
