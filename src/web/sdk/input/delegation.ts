const KEY = Symbol.for('berth.keyboards');

/** Those on this page that want keys pressed anywhere; the last one gets them. Copies of the SDK share the list. */
const keyboards = ((globalThis as { [KEY]?: object[] })[KEY] ??= []);

/** Another keyboard wants keys pressed anywhere; it gets them when nobody else does, or once it has been used. */
export function delegateTo(keyboard: object): void {
  keyboards.unshift(keyboard);
}

/** The person uses this one now. */
export function used(keyboard: object): void {
  const at = keyboards.indexOf(keyboard);
  if (at >= 0) keyboards.push(...keyboards.splice(at, 1));
}

/** Whether keys pressed anywhere on the page go to this one. */
export const isDelegate = (keyboard: object): boolean => keyboards.at(-1) === keyboard;

export function undelegate(keyboard: object): void {
  const at = keyboards.indexOf(keyboard);
  if (at >= 0) keyboards.splice(at, 1);
}
