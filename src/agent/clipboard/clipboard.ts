import { contentOf, copy, encodeContent, isPicture, type ClipboardContent } from '../../protocol/clipboard.js';
import { fromHelper, USER_BYTES } from '../../protocol/display-helper.js';
import type { FromAgent } from '../../protocol/generated/schemas.js';
import { RouteError, type Route } from '../link/routes.js';
import { readForm } from './form.js';

/** Contents that may be on their way at once; each is in memory several times while it is parsed. */
const INCOMING_MAX = 2;

export interface ClipboardOptions {
  /** Sends the display helper `user u32, message`. */
  readonly send: (body: Uint8Array) => void;
  /** Tells the links `user u32, message`. */
  readonly show: (body: Buffer) => void;
  /** Tells the links a control message. */
  readonly tell: (message: FromAgent) => void;
}

/** The clipboard's rich content: what is too large for messages comes and goes by HTTP. */
export class Clipboard {
  readonly #options: ClipboardOptions;
  /** The picture that was copied, unless something without one was copied since. */
  #picture: Uint8Array | null = null;
  /** The newest picture's number, by which it is fetched. */
  #number = 0;
  #incoming = 0;

  constructor(options: ClipboardOptions) {
    this.#options = options;
  }

  readonly routes: readonly Route[] = [
    {
      method: 'PUT',
      path: '/clipboard',
      handle: async ({ request, response }) => {
        if (this.#incoming >= INCOMING_MAX) throw new RouteError(503, 'busy', 'The clipboard is being set; try again.');
        this.#incoming++;
        try {
          this.#options.send(encodeContent(await readForm(request), USER_BYTES));
        } finally {
          this.#incoming--;
        }
        response.writeHead(204).end();
      },
    },
    {
      method: 'GET',
      path: '/clipboard/',
      handle: ({ response, rest }) => {
        const picture = this.#picture;
        if (picture === null || rest !== String(this.#number))
          throw new RouteError(404, 'picture_not_found', 'Something else has been copied since.');
        response.writeHead(200, { 'content-type': 'image/png', 'content-length': picture.length }).end(picture);
      },
    },
  ];

  /** A program in the container has copied: `user u32, message` of the helper. */
  copied(body: Buffer): void {
    const sizes = fromHelper.copied.decode(body, USER_BYTES);
    if (sizes === null) return;
    const content = contentOf(withValidPicture(fromHelper.copied.bodyOf(body, USER_BYTES), sizes), sizes);
    if (content !== null) this.#show(content);
    if (!sizes.incomplete) return;
    const message = 'What was copied is too large for the clipboard, at least in part.';
    this.#options.tell({ type: 'notice', code: 'copy_too_large', message });
  }

  #show({ text, html, picture }: ClipboardContent): void {
    const hasPicture = picture.length > 0;
    // Copied: it is a view of a larger chunk, whose text is not needed any more.
    this.#picture = hasPicture ? Uint8Array.from(picture) : null;
    if (hasPicture) this.#number = (this.#number % 0xffff_ffff) + 1;
    const texts = [Buffer.from(text), Buffer.from(html)] as const;
    const head = { picture: hasPicture ? this.#number : 0, pictureSize: picture.length, textSize: texts[0].length };
    this.#options.show(Buffer.from(copy.encode(head, USER_BYTES, Buffer.concat(texts)).buffer));
  }
}

/** Without a picture that nobody could paste. */
function withValidPicture(body: Buffer, { textSize, htmlSize }: { textSize: number; htmlSize: number }): Buffer {
  const texts = textSize + htmlSize;
  return isPicture(body.subarray(texts)) ? body : body.subarray(0, texts);
}
