import { clear, EMPTY, redo, undo, type History } from './history.js';

export const COLORS = {
  red: '#e5383b',
  yellow: '#ffc400',
  green: '#20a464',
  blue: '#2374f2',
  black: '#16181d',
  white: '#ffffff',
} as const;

/** Widths of the pen in CSS pixels. */
export const WIDTHS = { thin: 3, medium: 6, thick: 12, marker: 24 } as const;

/** Width of the eraser relative to the pen's. */
const ERASER_FACTOR = 3;

export type Color = keyof typeof COLORS;
export type Width = keyof typeof WIDTHS;

/** The effect of the pointer on the page. */
export type Tool = 'none' | 'pen' | 'eraser';

export interface State {
  /** Whether the tools are shown, or only the button that opens them. */
  readonly open: boolean;
  readonly tool: Tool;
  readonly color: Color;
  readonly width: Width;
  readonly visible: boolean;
  readonly history: History;
}

/** The action of a button. */
export type Action =
  'open' | 'close' | 'pen' | 'eraser' | 'undo' | 'redo' | 'clear' | 'visible' | `color:${Color}` | `width:${Width}`;

export const INITIAL: State = {
  open: false,
  tool: 'none',
  color: 'red',
  width: 'medium',
  visible: true,
  history: EMPTY,
};

/** The state after an action. */
export function after(state: State, action: Action): State {
  switch (action) {
    case 'open':
      return { ...state, open: true, tool: 'pen', visible: true };
    case 'close':
      return { ...state, open: false, tool: 'none' };
    case 'pen':
    case 'eraser':
      return { ...state, tool: state.tool === action ? 'none' : action, visible: true };
    case 'visible':
      return { ...state, visible: !state.visible, tool: 'none' };
    case 'undo':
      return { ...state, history: undo(state.history), visible: true };
    case 'redo':
      return { ...state, history: redo(state.history), visible: true };
    case 'clear':
      return { ...state, history: clear(state.history) };
    default:
      return chosen(state, action);
  }
}

/** Whether an action would change anything. */
export function isPossible({ history }: State, action: Action): boolean {
  if (action === 'undo') return history.past.length > 0;
  if (action === 'redo') return history.future.length > 0;
  return action !== 'clear' || history.present.length > 0;
}

/** Line width of the selected tool, in CSS pixels. */
export const lineWidth = ({ tool, width }: State) => WIDTHS[width] * (tool === 'eraser' ? ERASER_FACTOR : 1);

function chosen(state: State, action: `color:${Color}` | `width:${Width}`): State {
  const [what, value] = action.split(':');
  if (what === 'width') return { ...state, width: value as Width };
  return { ...state, color: value as Color, tool: 'pen', visible: true };
}
