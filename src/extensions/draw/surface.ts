import { curves, touches, type Stroke } from './stroke.js';

/** The canvas over the page, showing the visible part of the drawing. */
export class Surface {
  readonly canvas = document.createElement('canvas');
  readonly #context = this.canvas.getContext('2d');
  #frame = 0;

  /** `strokes` returns the lines to show. */
  constructor(strokes: () => readonly Stroke[]) {
    const redraw = () => {
      this.#frame = 0;
      this.#draw(strokes());
    };
    this.redraw = () => (this.#frame ||= requestAnimationFrame(redraw));
  }

  /** Redraws everything in the next frame: the drawing, the window or the scroll position changed. */
  readonly redraw: () => void;

  /** Draws the growth of a line since it had `from` points. */
  extend(stroke: Stroke, from: number, ended: boolean): void {
    // A pending redraw shows it too.
    if (this.#frame === 0) this.#line(stroke, Math.max(0, from - 1), ended);
  }

  #draw(strokes: readonly Stroke[]): void {
    const { canvas } = this;
    const [width, height] = [Math.round(innerWidth * devicePixelRatio), Math.round(innerHeight * devicePixelRatio)];
    // Setting a size clears the canvas, even if it is unchanged.
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    else this.#context?.clearRect(0, 0, width, height);
    for (const stroke of strokes) {
      if (touches(stroke, scrollX, scrollY, scrollX + innerWidth, scrollY + innerHeight)) this.#line(stroke, 0, true);
    }
  }

  #line({ kind, color, width, points }: Stroke, first: number, ended: boolean): void {
    const context = this.#context;
    if (!context) return;
    context.setTransform(
      devicePixelRatio,
      0,
      0,
      devicePixelRatio,
      -scrollX * devicePixelRatio,
      -scrollY * devicePixelRatio,
    );
    context.globalCompositeOperation = kind === 'eraser' ? 'destination-out' : 'source-over';
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineCap = 'round';
    context.lineJoin = 'round';
    context.beginPath();
    for (const { from, control, to } of curves(points, first, ended)) {
      context.moveTo(from.x, from.y);
      context.quadraticCurveTo(control.x, control.y, to.x, to.y);
    }
    context.stroke();
    context.setTransform(1, 0, 0, 1, 0, 0);
  }
}
