import { useEffect, useMemo, useRef, useState, type RefCallback } from 'react';
import {
  mount,
  type BerthSession,
  type ConnectionState,
  type DisconnectType,
  type PendingSession,
  type TerminationCode,
} from '../sdk/index.js';
import { applySettings, identity, mountOptions, type SessionOptions } from './session-options.js';

/** Why a session is over for this viewer. */
export interface Ended {
  /** The reason. */
  type: DisconnectType;
  /** What went wrong with an Android device; absent otherwise. */
  code?: TerminationCode;
}

/** How a session is doing. */
export interface BerthState {
  /** The session, once the service has admitted the viewer; until it ends or another one is shown. */
  session: BerthSession | null;
  /** The connection's state; null while nothing is shown. */
  state: ConnectionState | null;
  /** Why the session is over for this viewer; null while it is not. */
  ended: Ended | null;
}

/** What `useBerth` returns. */
export interface UseBerth extends BerthState {
  /** The `ref` of the element that shows the session, such as a `div`. */
  ref: RefCallback<HTMLElement>;
}

const NOTHING: BerthState = { session: null, state: null, ended: null };

/**
 * Shows a session in the element that gets `ref`, for as long as both are there. It is joined anew when `embedURL` or the
 * element changes, or an option that a session cannot change: `touchPad`, `name`, `lang`, `webhookUserdata`,
 * `persistScreen`, and whether there is `frameCb`, `videoTrackCb`, `audioTrackCb`, `onFileChooser` or `onKeyboardLeave`.
 * All other options take effect at once, and callbacks may be new functions at each rendering.
 * @param embedURL the session's `embed_url`; null or undefined: nothing is shown
 * @param options all are optional
 * @throws TypeError for invalid arguments, which the nearest error boundary receives
 */
export function useBerth(embedURL: string | null | undefined, options: SessionOptions = {}): UseBerth {
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const [berth, setBerth] = useState<BerthState>(NOTHING);
  const latest = useRef(options);
  const applied = useRef(options);
  const mounted = useRef<PendingSession | null>(null);
  const key = typeof embedURL === 'string' ? identity(embedURL, options) : null;

  // Before the session is mounted, so that it has the callbacks of this rendering.
  useEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    if (container === null || typeof embedURL !== 'string') return;
    // An element of its own: the same container shows one session after the other.
    const element = container.ownerDocument.createElement('div');
    element.style.cssText = 'width: 100%; height: 100%';
    container.append(element);
    let isShown = true;
    const update = (change: Partial<BerthState>) => {
      if (isShown) setBerth(before => ({ ...before, ...change }));
    };
    const given = mountOptions(() => latest.current);
    applied.current = latest.current;
    let session: PendingSession;
    try {
      session = mount(element, embedURL, {
        ...given,
        onConnectionStateChange: event => {
          update({ state: event.state });
          given.onConnectionStateChange?.(event);
        },
        onDisconnect: event => {
          update({ ended: event, session: null });
          given.onDisconnect?.(event);
        },
      });
    } catch (error) {
      element.remove();
      throw error;
    }
    mounted.current = session;
    // What refuses the viewer is told by onDisconnect.
    session.joined.then(
      joined => update({ session: joined }),
      () => undefined,
    );
    return () => {
      isShown = false;
      mounted.current = null;
      session.destroy();
      element.remove();
      setBerth(NOTHING);
    };
    // The key stands for what `mount` is given.
  }, [container, key]);

  useEffect(() => {
    if (mounted.current !== null) applySettings(mounted.current, applied.current, options);
    applied.current = options;
  });

  return useMemo(() => ({ ...berth, ref: setContainer }), [berth]);
}
