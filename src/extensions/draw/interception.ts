/** Events of the pointer and the keyboard that the page must not see when they are meant for the tools. */
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
 * Takes the events that happen on `host` before the page's listeners get them: added when the document starts,
 * these listeners are the first. Returns what adds them again after the page dropped them.
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
