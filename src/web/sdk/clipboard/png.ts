import { isPicture } from '../../../protocol/clipboard.js';
import { PICTURE_MAX_BYTES } from '../../../protocol/message-type.js';
import { PasteRefusal } from './content.js';

/** Largest picture that is drawn to make a PNG of it, bytes; photographs have a tenth. */
const SOURCE_MAX_BYTES = 64 << 20;

const tooLarge = () => new PasteRefusal(({ say }) => say('pictureTooLarge', { size: PICTURE_MAX_BYTES >> 20 }));

/** The picture as PNG, which is the type that all programs paste. @throws PasteRefusal */
export async function pngOf(picture: Blob): Promise<Uint8Array<ArrayBuffer>> {
  if (picture.size > SOURCE_MAX_BYTES) throw tooLarge();
  const png = picture.type === 'image/png' ? picture : await redrawn(picture);
  if (png.size > PICTURE_MAX_BYTES) throw tooLarge();
  const bytes = new Uint8Array(await png.arrayBuffer());
  if (!isPicture(bytes)) throw tooLarge();
  return bytes;
}

async function redrawn(picture: Blob): Promise<Blob> {
  const image = await createImageBitmap(picture).catch(() => {
    throw new PasteRefusal(({ say }) => say('pictureUnreadable'));
  });
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  image.close();
  const png = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'));
  if (png === null) throw tooLarge();
  return png;
}
