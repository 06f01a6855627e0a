/** The Keyboard Lock API, which Chromium has in secure contexts. */
interface KeyboardLock {
  lock?(): Promise<void>;
  unlock?(): void;
}

const keyboardLock = () => (navigator as Navigator & { keyboard?: KeyboardLock }).keyboard;

/** Enters or leaves fullscreen. There the session gets the browser's own shortcuts too. */
export async function toggleFullscreen(): Promise<void> {
  if (document.fullscreenElement !== null) {
    keyboardLock()?.unlock?.();
    return document.exitFullscreen();
  }
  await document.documentElement.requestFullscreen({ navigationUI: 'hide' });
  // Escape held down still leaves; without the lock only those shortcuts are missing.
  await keyboardLock()
    ?.lock?.()
    .catch(() => {});
}
