import type { IncomingMessage } from 'node:http';
import { isPicture, type ClipboardContent } from '../../protocol/clipboard.js';
import { CLIPBOARD_MAX_BYTES, CONTENT_FORM_MAX_BYTES } from '../../protocol/message-type.js';
import { bodyOf } from '../link/body.js';
import { RouteError } from '../link/routes.js';

const FIELDS: readonly string[] = ['text', 'html', 'png'];

/** Reads a clipboard's content from a form with the fields `text`, `html` and `png`. @throws RouteError */
export async function readForm(request: IncomingMessage): Promise<ClipboardContent> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of bodyOf(request) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > CONTENT_FORM_MAX_BYTES) throw invalid('The form is too large.');
    chunks.push(chunk);
  }
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- for it keeps forms in memory, which is meant: this one is bounded
  const form = await new Response(Buffer.concat(chunks), { headers }).formData().catch(() => {
    throw invalid('The body is not a form.');
  });
  const other = [...form.keys()].find(name => !FIELDS.includes(name));
  if (other !== undefined)
    throw invalid(`The form has a field ${JSON.stringify(other.slice(0, 40))}, which is none of text, html and png.`);
  const [text, html] = [textIn(form, 'text'), textIn(form, 'html')];
  const picture = await pictureIn(form);
  if (text === '' && html === '' && picture.length === 0) throw invalid('The form has none of text, html and png.');
  return { text, html, picture };
}

function textIn(form: FormData, name: 'text' | 'html'): string {
  const text = form.get(name) ?? '';
  if (typeof text !== 'string') throw invalid(`${name} must be text, not a file.`);
  if (Buffer.byteLength(text) > CLIPBOARD_MAX_BYTES) throw invalid(`${name} must have at most 1 MiB.`);
  return text;
}

async function pictureIn(form: FormData): Promise<Uint8Array> {
  const file = form.get('png');
  if (file === null) return new Uint8Array();
  if (typeof file === 'string') throw invalid('png must be a file.');
  const picture = new Uint8Array(await file.arrayBuffer());
  if (!isPicture(picture)) throw invalid('png must be a PNG of at most 10 MiB and 64 megapixels.');
  return picture;
}

const invalid = (message: string) => new RouteError(400, 'clipboard_invalid', message);
