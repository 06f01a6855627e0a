/** Pointer and keyboard events that the page must not see when they are meant for the tools. */
const KINDS = [
  'pointerdown',
  'pointermove',
  'pointerup',
  'pointercancel',
  'pointerover',
  'pointerout',
  'mousedown',
  'mousemove',
  'mouseup',
  'mouseover',
  'mouseout',
  'click',
  'dblclick',
  'auxclick',
  'contextmenu',
  'wheel',
  'touchstart',
  'touchmove',
  'touchend',
  'touchcancel',
  'keydown',
  'keyup',
  'keypress',
  'focus',
  'blur',
  'focusin',
  'focusout',
];

/**
 * Intercepts events on `host` before the page's listeners: these listeners are added first, when the document starts.
 * Returns a function that adds them again after the page has dropped them.
 */
export function intercept(host: Element, take: (event: Event) => void): () => void {
  const listener = (event: Event) => {
    if (event.target !== host || !event.isTrusted) return;
    event.stopImmediatePropagation();
    take(event);
  };
  const add = () => KINDS.forEach(kind => addEventListener(kind, listener, { capture: true, passive: false }));
  add();
  return add;
}
