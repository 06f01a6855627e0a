const KEY = Symbol.for('berth.keyboards');

/** Keyboards on this page that want keys pressed anywhere; the last one gets them. Copies of the SDK share the list. */
const keyboards = ((globalThis as { [KEY]?: object[] })[KEY] ??= []);

/** Adds a keyboard that wants keys pressed anywhere; it gets them when no other does, or once it has been used. */
export function delegateTo(keyboard: object): void {
  keyboards.unshift(keyboard);
}

/** The user is using this one now. */
export function used(keyboard: object): void {
  const at = keyboards.indexOf(keyboard);
  if (at >= 0) keyboards.push(...keyboards.splice(at, 1));
}

/** Whether this one gets keys pressed anywhere on the page. */
export const isDelegate = (keyboard: object): boolean => keyboards.at(-1) === keyboard;

export function undelegate(keyboard: object): void {
  const at = keyboards.indexOf(keyboard);
  if (at >= 0) keyboards.splice(at, 1);
}
