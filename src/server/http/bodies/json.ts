import express, { type Request, type Response } from 'express';
import { HttpError } from '../../model/index.js';
import type { IncomingMessage } from 'node:http';

/** Whether a request announces a non-empty body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const MAX_BYTES = '256kb';

const read = express.raw({ limit: MAX_BYTES, type: () => true });

/** Content types that cannot be JSON: multipart, and binary ones. */
const NOT_JSON = new RegExp(
  '^\\s*(?:(?:multipart|image|audio|video|font|model)/' +
    '|application/(?:octet-stream|pdf|zip|gzip|wasm|x-(?:gzip|tar|zip-compressed|7z-compressed|chrome-extension)' +
    '|java-archive|vnd\\.android\\.package-archive)\\s*(?:;|$))',
  'i',
);

/**
 * Reads a JSON body, whatever its content type says: many clients name none, or the default of their library.
 * `absent` provides the value for a missing or empty body.
 * @throws HttpError, or an error of the body parser, which the caller is told about
 */
export async function readJson(request: Request, response: Response, absent: () => unknown): Promise<unknown> {
  if (!hasBody(request)) return absent();
  const { 'content-type': type = '' } = request.headers;
  if (NOT_JSON.test(type)) throw new HttpError('unsupported_media_type');
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error?: Error) => (error === undefined ? resolve() : reject(error)));
  });
  return parseJson(request.body as Uint8Array | undefined, absent, 'The body is not valid JSON.', charsetOf(type));
}

/** Parses JSON; text of blanks only counts as none. @throws HttpError with this message */
export function parseJson(
  bytes: Uint8Array | undefined,
  absent: () => unknown,
  message: string,
  charset = 'utf-8',
): unknown {
  try {
    // A byte order mark is left out.
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes);
    return text.trim() === '' ? absent() : (JSON.parse(text) as unknown);
  } catch (error) {
    throw new HttpError('invalid_json', { message, cause: error });
  }
}

/** The charset that a content type names, if it can be decoded; UTF-8 otherwise, as JSON should be. */
function charsetOf(type: string): string {
  const name = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(type)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return 'utf-8';
  }
}
