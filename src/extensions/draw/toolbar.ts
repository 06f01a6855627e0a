import { icon, type Icon } from './icons.js';
import { COLORS, isPossible, WIDTHS, type Action, type Color, type State, type Width } from './state.js';

/** The tools: a round button that opens them, and a panel of buttons. */
export class Toolbar {
  readonly element = document.createElement('div');
  readonly #opener = button('open', 'Draw on the page', icon('pen'));
  readonly #panel = document.createElement('div');
  readonly #buttons: readonly HTMLButtonElement[];

  constructor() {
    const grip = document.createElement('div');
    grip.className = 'grip';
    const colors = (Object.keys(COLORS) as Color[]).map(color =>
      button(`color:${color}`, `Pen: ${color}`, swatch(COLORS[color])),
    );
    const widths = (Object.keys(WIDTHS) as Width[]).map(width =>
      button(`width:${width}`, `Line: ${width}`, dot(WIDTHS[width])),
    );
    const groups = [
      [tool('pen', 'Pen'), tool('eraser', 'Eraser')],
      colors,
      widths,
      [
        tool('undo', 'Undo (Ctrl+Z)'),
        tool('redo', 'Redo (Ctrl+Y)'),
        tool('clear', 'Clear all'),
        button('visible', 'Hide the drawing', icon('shown')),
      ],
      [button('close', 'Put the tools away (Esc)', icon('close'))],
    ];
    this.#panel.className = 'panel';
    this.#panel.role = 'toolbar';
    this.#panel.ariaLabel = 'Drawing tools';
    this.#panel.append(grip, ...groups.map(group));
    this.#buttons = groups.flat();
    this.element.className = 'tools';
    this.element.append(this.#opener, this.#panel);
  }

  show(state: State): void {
    this.#opener.hidden = state.open;
    this.#panel.hidden = !state.open;
    for (const each of this.#buttons) {
      const action = actionOf(each) as Action;
      // A disabled button would pass the focus to the page.
      each.ariaDisabled = String(!isPossible(state, action));
      const pressed = isPressed(state, action);
      if (pressed !== undefined) each.ariaPressed = String(pressed);
      if (action === 'visible') each.replaceChildren(icon(state.visible ? 'shown' : 'hidden'));
    }
  }

  /** Moves the keyboard focus to the first button of the panel. */
  focus(): void {
    this.#buttons[0]?.focus({ preventScroll: true });
  }

  /** The button this many steps after another, cyclically. */
  neighbour(of: Element | null, steps: number): HTMLButtonElement | undefined {
    const at = this.#buttons.findIndex(each => each === of);
    return this.#buttons.at((at + steps) % this.#buttons.length);
  }

  /** Moves the tools within the bounds of the window. */
  moveTo(left: number, top: number): void {
    const { width, height } = this.element.getBoundingClientRect();
    const within = (value: number, max: number) => `${Math.round(Math.max(0, Math.min(value, max)))}px`;
    Object.assign(this.element.style, {
      left: within(left, innerWidth - width),
      top: within(top, innerHeight - height),
      right: 'auto',
      translate: 'none',
    });
  }
}

/** The action of the button at an element. */
export const actionOf = (element: Element | null): Action | undefined =>
  element?.closest('button')?.dataset['action'] as Action | undefined;

function isPressed({ tool, color, width, visible }: State, action: Action): boolean | undefined {
  if (action === 'pen' || action === 'eraser') return tool === action;
  if (action.startsWith('color:')) return tool !== 'eraser' && action === `color:${color}`;
  if (action.startsWith('width:')) return action === `width:${width}`;
  return action === 'visible' ? !visible : undefined;
}

function button(action: Action, label: string, content: Element): HTMLButtonElement {
  const made = document.createElement('button');
  Object.assign(made, { type: 'button', title: label, ariaLabel: label });
  made.dataset['action'] = action;
  made.append(content);
  return made;
}

const tool = (action: Action & Icon, label: string) => button(action, label, icon(action));

function swatch(color: string): HTMLElement {
  const made = document.createElement('i');
  made.className = 'swatch';
  made.style.background = color;
  return made;
}

function dot(width: number): HTMLElement {
  const made = document.createElement('i');
  made.className = 'dot';
  const size = `${4 + Math.round(width / 2)}px`;
  Object.assign(made.style, { width: size, height: size });
  return made;
}

function group(buttons: readonly HTMLButtonElement[]): HTMLElement {
  const made = document.createElement('div');
  made.className = 'group';
  made.append(...buttons);
  return made;
}
