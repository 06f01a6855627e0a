import type { ToViewer, Users } from '../../../protocol/generated/schemas.js';
import { element } from '../../lib/dom.js';

const ARROW = 'M1 1v16.2l4.4-4.1 2.9 6.6 2.9-1.3-2.9-6.5h6z';
/** A name disappears when its pointer has rested for this time, in milliseconds. */
const NAMED_MS = 4000;
/** Number of letters of a user's ID that are shown where names are not known. */
const NAME_LENGTH = 4;

type Person = Users['users'][number];

interface OtherPointer {
  box: HTMLElement;
  timer: ReturnType<typeof setTimeout>;
}

/** Draws the pointers of the other viewers, each in its own colour. */
export class CursorLayer {
  /** Covers the video exactly. */
  readonly element = element('div', { className: 'cursors', hidden: true });
  readonly #pointers = new Map<string, OtherPointer>();
  /** Who is in the session, where this viewer may see it. */
  #people: ReadonlyMap<string, Person> = new Map();

  constructor() {
    this.element.setAttribute('aria-hidden', 'true');
    this.element.dir = 'ltr';
  }

  get shown(): boolean {
    return !this.element.hidden;
  }

  set shown(shown: boolean) {
    this.element.hidden = !shown;
  }

  /** Moves a viewer's pointer, or removes it. */
  move({ user_id: id, x, y }: Extract<ToViewer, { type: 'pointer' }>): void {
    if (x === undefined || y === undefined) return this.#remove(id);
    const pointer = this.#pointers.get(id) ?? this.#add(id);
    pointer.box.style.left = `${x * 100}%`;
    pointer.box.style.top = `${y * 100}%`;
    pointer.box.classList.add('named');
    clearTimeout(pointer.timer);
    pointer.timer = setTimeout(() => pointer.box.classList.remove('named'), NAMED_MS);
  }

  /** Names and colours for the pointers. */
  set people({ users }: Users) {
    this.#people = new Map(users.map(user => [user.user_id, user]));
    for (const [id, { box }] of this.#pointers) this.#label(id, box);
  }

  /** Removes all pointers: the connection is gone. */
  clear(): void {
    for (const id of [...this.#pointers.keys()]) this.#remove(id);
  }

  #add(id: string): OtherPointer {
    const box = element('div', { className: 'cursor' }, arrow(), element('span', { dir: 'auto' }));
    this.#label(id, box);
    const pointer: OtherPointer = { box, timer: setTimeout(() => {}) };
    this.element.append(box);
    this.#pointers.set(id, pointer);
    return pointer;
  }

  #label(id: string, box: HTMLElement): void {
    const person = this.#people.get(id);
    box.style.setProperty('--colour', person?.color ?? colourOf(id));
    const label = box.querySelector('span');
    if (label === null) return;
    label.textContent = person?.name ?? id.slice(0, NAME_LENGTH);
    label.style.color = person?.color === undefined ? '' : textOn(person.color);
  }

  #remove(id: string): void {
    const pointer = this.#pointers.get(id);
    clearTimeout(pointer?.timer);
    pointer?.box.remove();
    this.#pointers.delete(id);
  }
}

/** A colour for a user, the same for every viewer, dark enough for white text. */
export function colourOf(userId: string): string {
  let value = 7;
  for (const character of userId) value = (Math.imul(value, 31) + character.charCodeAt(0)) >>> 0;
  return `hsl(${value % 360} 70% 28%)`;
}

/** Black or white, whichever is easier to read on a colour, `#rrggbb`. */
function textOn(color: string): string {
  const [red, green, blue] = [1, 3, 5].map(at => (parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  // Where both have the same contrast.
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0) > 0.179 ? '#000' : '#fff';
}

function arrow(): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 21');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ARROW);
  svg.append(path);
  return svg;
}
