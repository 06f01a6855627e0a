import { element, icon } from '../../../lib/dom.js';
import type { ButtonPart, DirectionPart, Part, Place } from './layout.js';

/** How far each control is pressed, by its ID. */
export type Amounts = ReadonlyMap<string, number>;

/** A part of the pad on the page. */
export interface Drawing {
  readonly part: Part;
  readonly element: HTMLElement;
  /** Displays what is pressed. */
  show(amounts: Amounts): void;
}

const CROSS = 'M8.5 1h7v7.5H23v7h-7.5V23h-7v-7.5H1v-7h7.5z';
const ARMS = {
  up: 'M12 2.6l2.4 3.6H9.6z',
  down: 'M12 21.4l2.4-3.6H9.6z',
  left: 'M2.6 12l3.6-2.4v4.8z',
  right: 'M21.4 12l-3.6-2.4v4.8z',
} as const;
/** Travel of a stick's thumb, relative to half its own size. */
const TRAVEL = 42;

/** Draws a part; its name is left to whoever knows the viewer's language. */
export function draw(part: Part): Drawing {
  if (part.type === 'button') return drawButton(part);
  return part.type === 'cross' ? drawCross(part) : drawStick(part);
}

function box(part: Part, className: string, role: string): HTMLElement {
  const made = element('div', { className: `part ${className}` });
  made.setAttribute('role', role);
  place(made, part);
  return made;
}

function place({ style }: HTMLElement, { x, y, width, height }: Place): void {
  const units = (count: number) => `calc(${count} * var(--unit))`;
  style.left = units(x);
  style.top = units(y);
  style.width = units(width);
  style.height = units(height);
}

function drawButton(part: ButtonPart): Drawing {
  const shape = part.width === part.height ? 'round' : 'pill';
  const made = box(part, part.colour === undefined ? shape : `${shape} tinted`, 'button');
  if (part.colour !== undefined) made.style.setProperty('--tint', part.colour);
  made.append('text' in part.face ? part.face.text : icon(part.face.lines));
  const show = (amounts: Amounts) => made.classList.toggle('held', amounts.has(part.control));
  return { part, element: made, show };
}

function drawCross(part: DirectionPart): Drawing {
  const made = box(part, 'cross', 'group');
  const image = icon(CROSS);
  const arms = (['up', 'down', 'left', 'right'] as const).map(side => {
    const arm = icon(ARMS[side]).firstElementChild as SVGPathElement;
    arm.classList.add('arm');
    image.append(arm);
    return { arm, control: part.sides[side] };
  });
  made.append(image);
  const show = (amounts: Amounts) => {
    for (const { arm, control } of arms) arm.classList.toggle('held', amounts.has(control));
  };
  return { part, element: made, show };
}

function drawStick(part: DirectionPart): Drawing {
  const made = box(part, 'stick', 'group');
  const thumb = element('div', { className: 'thumb' });
  made.append(thumb);
  const show = (amounts: Amounts) => {
    const amount = (side: keyof DirectionPart['sides']) => amounts.get(part.sides[side]) ?? 0;
    const x = amount('right') - amount('left');
    const y = amount('down') - amount('up');
    made.classList.toggle('held', x !== 0 || y !== 0);
    thumb.style.transform = `translate(${x * TRAVEL}%, ${y * TRAVEL}%)`;
  };
  return { part, element: made, show };
}
