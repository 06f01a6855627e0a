const KEY = 'berth.video.broken';

/** Playback methods that failed in this browser before; a new browser version starts afresh. */
export function brokenPipelines(): Set<string> {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as { agent?: unknown; broken?: unknown } | null;
    if (stored?.agent !== navigator.userAgent || !Array.isArray(stored.broken)) return new Set();
    return new Set(stored.broken.filter(name => typeof name === 'string'));
  } catch {
    return new Set();
  }
}

/** Remembers a failed method. The last resort is never remembered. */
export function rememberBroken(name: string): void {
  if (name !== 'webcodecs') return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ agent: navigator.userAgent, broken: [...brokenPipelines(), name] }));
  } catch {
    // Storage may be forbidden; then the next page finds out again.
  }
}
