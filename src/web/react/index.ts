export { BerthView, type BerthViewProps } from './berth-view.js';
export { useBerth, type BerthState, type Ended, type UseBerth } from './use-berth.js';
export type { SessionOptions } from './session-options.js';
