import busboy from 'busboy';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { EXTENSION_MAX_BYTES } from '../../../protocol/extension-archive.js';
import { HttpError } from '../../model/index.js';
import { parseJson } from './json.js';

/** The part that holds the JSON. */
const BODY = 'body';
const BODY_MAX_BYTES = 256 * 1024;

/** The JSON and an extension. */
const PARTS = 2;

/** Upper bound for multipart overhead. */
const FRAME_BYTES = 16 * 1024;
const MAX_BYTES = BODY_MAX_BYTES + EXTENSION_MAX_BYTES + FRAME_BYTES;

export interface Multipart {
  body: unknown;
  files: ReadonlyMap<string, Buffer>;
}

export const isMultipart = (request: Request) =>
  /^\s*multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '');

/** Reads a multipart request: its JSON, `{}` if there is none, and one file. @throws HttpError */
export async function readMultipart(request: Request): Promise<Multipart> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw new HttpError('body_too_large');
  const parts = new Map<string, Promise<Buffer>>();
  const parser = makeParser(request);
  let failure: HttpError | undefined;
  const fail = (error: HttpError) => void (failure ??= error);
  const add = (name: string | undefined, content: Promise<Buffer>) => {
    if (name === undefined || parts.has(name)) return fail(wrong('Each part needs a different name.'));
    parts.set(name, content);
  };
  parser.on('file', (name, stream: Readable) => {
    stream.on('limit', () => fail(tooLarge(name)));
    const content = buffer(stream);
    content.catch(() => {});
    add(name, content);
  });
  parser.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated) fail(tooLarge(name));
    add(name, Promise.resolve(Buffer.from(value)));
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => fail(wrong('Send the part "body" and the extension only.')));
  await parse(request, parser);
  if (failure !== undefined) throw failure;
  return split(new Map(await Promise.all([...parts].map(async ([name, content]) => [name, await content] as const))));
}

function makeParser(request: Request): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      // It reports an error as soon as a limit is reached.
      limits: {
        parts: PARTS + 1,
        fields: PARTS + 1,
        files: PARTS + 1,
        fieldSize: BODY_MAX_BYTES + 1,
        fileSize: EXTENSION_MAX_BYTES + 1,
        fieldNameSize: 256,
      },
    });
  } catch {
    throw wrong('The content type lacks the boundary of its parts.');
  }
}

async function parse(request: Request, parser: busboy.Busboy): Promise<void> {
  let bytes = 0;
  const closed = new Promise<void>((resolve, reject) => {
    parser.once('close', resolve);
    parser.once('error', reject);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) reject(new HttpError('body_too_large'));
    });
  });
  request.pipe(parser);
  try {
    await Promise.all([finished(request, { writable: false }), closed]);
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    throw error instanceof HttpError ? error : wrong('The parts are not complete, or not valid.');
  }
}

function split(parts: Map<string, Buffer>): Multipart {
  const body = parseJson(parts.get(BODY), () => ({}), 'The part "body" is not valid JSON.');
  parts.delete(BODY);
  return { body, files: parts };
}

const wrong = (message: string) => new HttpError('bad_request', { message });

function tooLarge(name: string): HttpError {
  const limit = name === BODY ? BODY_MAX_BYTES : EXTENSION_MAX_BYTES;
  return new HttpError('body_too_large', { message: `The part "${name}" is larger than ${limit} bytes.` });
}
