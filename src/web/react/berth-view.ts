import {
  createElement,
  forwardRef,
  useImperativeHandle,
  type CSSProperties,
  type ForwardRefExoticComponent,
  type RefAttributes,
} from 'react';
import type { BerthSession } from '../sdk/index.js';
import type { SessionOptions } from './session-options.js';
import { useBerth } from './use-berth.js';

/** The props of `BerthView`: the options of the SDK's `mount`, and those of the element. */
export interface BerthViewProps extends SessionOptions {
  /** The session's `embed_url`; null or undefined, such as before it is known: nothing is shown. */
  embedURL: string | null | undefined;
  /** The element's `id`. */
  id?: string;
  /** Classes of the element. Without a height it has the shape of the display. */
  className?: string;
  /** The element's style. */
  style?: CSSProperties;
}

/**
 * Shows a session in a `div`. `ref` is the session once the service has admitted the viewer, and null before and
 * afterwards. When props change is told at `useBerth`, on which this is built.
 */
export const BerthView: ForwardRefExoticComponent<BerthViewProps & RefAttributes<BerthSession | null>> = forwardRef(
  function BerthView({ embedURL, id, className, style, ...options }: BerthViewProps, handle) {
    const { ref, session } = useBerth(embedURL, options);
    useImperativeHandle<BerthSession | null, BerthSession | null>(handle, () => session, [session]);
    return createElement('div', { ref, id, className, style });
  },
);
