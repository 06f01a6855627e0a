import type { CursorShape } from '../../../protocol/viewer-messages.js';

/** Browsers do not display larger cursors. */
const MAX_SIZE = 128;
const MAX_CACHED = 64;

/** Converts the session's cursor shapes to CSS cursors, each image only once. */
export class CursorStyles {
  readonly #known = new Map<string, string>();

  /** The `cursor` property for a shape. */
  styleOf(shape: CursorShape): string {
    if (!shape.visible || shape.width === 0 || shape.height === 0) return 'none';
    if (shape.width > MAX_SIZE || shape.height > MAX_SIZE) return 'default';
    const key = `${shape.width}x${shape.height}+${shape.hotX}+${shape.hotY}:${hash(shape.rgba)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const style = draw(shape);
    const oldest = this.#known.keys().next();
    if (this.#known.size >= MAX_CACHED && !oldest.done) this.#known.delete(oldest.value);
    this.#known.set(key, style);
    return style;
  }
}

function draw({ width, height, hotX, hotY, rgba }: CursorShape): string {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return 'default';
  context.putImageData(new ImageData(new Uint8ClampedArray(rgba), width, height), 0, 0);
  return `url(${canvas.toDataURL()}) ${hotX} ${hotY}, default`;
}

/** FNV-1a over the pixels. */
function hash(bytes: Uint8Array): number {
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}
