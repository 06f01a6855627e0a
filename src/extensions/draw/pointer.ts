import type { Point, Stroke } from './stroke.js';

export interface PointerEffects {
  /** Starts a line without points; returns null if no tool is selected. */
  begin(): Omit<Stroke, 'points'> | null;
  /** A line has grown by everything after its first `from` points, or has ended. */
  grown(stroke: Stroke, from: number, ended: boolean): void;
  /** The tools are dragged to here: their upper left corner, in CSS pixels of the window. */
  dragged(left: number, top: number): void;
}

type Press =
  | { readonly kind: 'none' }
  | { readonly kind: 'line'; readonly pointer: number; readonly stroke: Stroke }
  | { readonly kind: 'drag'; readonly pointer: number; readonly dx: number; readonly dy: number };

/** Handles a pressed pointer: draws a line, or drags the tools. */
export class Pointer {
  readonly #effects: PointerEffects;
  #press: Press = { kind: 'none' };

  constructor(effects: PointerEffects) {
    this.#effects = effects;
  }

  /** The line being drawn. */
  get stroke(): Stroke | undefined {
    return this.#press.kind === 'line' ? this.#press.stroke : undefined;
  }

  /** A press on the page starts a line; `target` captures the pointer. */
  startLine(event: PointerEvent, target: Element): void {
    if (this.#press.kind !== 'none' || event.button !== 0) return;
    const line = this.#effects.begin();
    if (!line) return;
    target.setPointerCapture(event.pointerId);
    const stroke: Stroke = { ...line, points: [place(event)] };
    this.#press = { kind: 'line', pointer: event.pointerId, stroke };
    this.#effects.grown(stroke, 0, false);
  }

  /** A press on the handle starts dragging the tools. */
  startDrag(event: PointerEvent, handle: Element, tools: Element): void {
    if (this.#press.kind !== 'none' || event.button !== 0) return;
    handle.setPointerCapture(event.pointerId);
    const { left, top } = tools.getBoundingClientRect();
    this.#press = { kind: 'drag', pointer: event.pointerId, dx: event.clientX - left, dy: event.clientY - top };
  }

  moved(event: PointerEvent): void {
    const press = this.#press;
    if (press.kind === 'none' || press.pointer !== event.pointerId) return;
    if (press.kind === 'drag') {
      this.#effects.dragged(event.clientX - press.dx, event.clientY - press.dy);
      return;
    }
    const { points } = press.stroke;
    const from = points.length;
    const events = event.getCoalescedEvents();
    for (const each of events.length > 0 ? events : [event]) addPoint(points, place(each));
    if (points.length > from) this.#effects.grown(press.stroke, from, false);
  }

  /** The pointer was released, or is lost. */
  ended(event: PointerEvent): void {
    const press = this.#press;
    if (press.kind === 'none' || press.pointer !== event.pointerId) return;
    this.#press = { kind: 'none' };
    if (press.kind === 'line') this.#effects.grown(press.stroke, press.stroke.points.length, true);
  }
}

const place = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX + scrollX, y: clientY + scrollY });

function addPoint(points: Point[], point: Point): void {
  const last = points.at(-1);
  if (last?.x !== point.x || last.y !== point.y) points.push(point);
}
