import { shortcut, STEPS } from './keys.js';
import type { Pointer } from './pointer.js';
import type { Action } from './state.js';
import { actionOf, type Toolbar } from './toolbar.js';

export interface Controlled {
  readonly shadow: ShadowRoot;
  readonly canvas: HTMLCanvasElement;
  readonly toolbar: Toolbar;
  readonly pointer: Pointer;
  /** Whether keys go to the tools. */
  readonly isOpen: () => boolean;
  readonly act: (action: Action) => void;
  /** A line or a drag may have ended. */
  readonly released: () => void;
}

/** Handles events on the overlay. Their target must be queried, since the shadow root hides it. */
export function control(event: Event, { shadow, canvas, toolbar, pointer, isOpen, act, released }: Controlled): void {
  const at = () => shadow.elementFromPoint((event as MouseEvent).clientX, (event as MouseEvent).clientY);
  switch (event.type) {
    case 'pointerdown': {
      const target = at();
      if (target === canvas) pointer.startLine(event as PointerEvent, canvas);
      else if (target?.classList.contains('grip')) pointer.startDrag(event as PointerEvent, target, toolbar.element);
      return;
    }
    case 'pointermove':
      pointer.moved(event as PointerEvent);
      return;
    case 'pointerup':
    case 'pointercancel':
      pointer.ended(event as PointerEvent);
      released();
      return;
    case 'mousedown':
      // The focus stays where it was.
      if (at() === canvas) event.preventDefault();
      return;
    case 'contextmenu':
      event.preventDefault();
      return;
    case 'click': {
      // A button activated by a key is clicked without coordinates.
      const action = actionOf((event as MouseEvent).detail === 0 ? shadow.activeElement : at());
      if (action) act(action);
      return;
    }
    case 'keydown': {
      if (!isOpen()) return;
      const action = shortcut(event as KeyboardEvent);
      const steps = STEPS[(event as KeyboardEvent).key];
      if (action === undefined && steps === undefined) return;
      event.preventDefault();
      if (action !== undefined) act(action);
      else toolbar.neighbour(shadow.activeElement, steps ?? 0)?.focus();
    }
  }
}
