import { isPicture } from '../../../protocol/clipboard.js';
import { PICTURE_MAX_BYTES } from '../../../protocol/message-type.js';
import { PasteRefusal } from './content.js';

/** Largest picture that is drawn to make a PNG of it, bytes; photographs have a tenth. */
const SOURCE_MAX_BYTES = 64 << 20;

const TOO_LARGE = `This picture is too large to be pasted: as a PNG it may have ${PICTURE_MAX_BYTES >> 20} MiB and 64 megapixels.`;

/** The picture as PNG, which is the type that all programs paste. @throws PasteRefusal */
export async function pngOf(picture: Blob): Promise<Uint8Array<ArrayBuffer>> {
  if (picture.size > SOURCE_MAX_BYTES) throw new PasteRefusal(TOO_LARGE);
  const png = picture.type === 'image/png' ? picture : await redrawn(picture);
  if (png.size > PICTURE_MAX_BYTES) throw new PasteRefusal(TOO_LARGE);
  const bytes = new Uint8Array(await png.arrayBuffer());
  if (!isPicture(bytes)) throw new PasteRefusal(TOO_LARGE);
  return bytes;
}

async function redrawn(picture: Blob): Promise<Blob> {
  const image = await createImageBitmap(picture).catch(() => {
    throw new PasteRefusal('This picture cannot be pasted: the browser cannot draw it.');
  });
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  image.close();
  const png = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'));
  if (png === null) throw new PasteRefusal(TOO_LARGE);
  return png;
}
