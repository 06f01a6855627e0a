/**
 * Runs a callback of the embedding page. An exception is reported as the page's own error, and does not affect the
 * caller.
 */
export function safely(callback: () => unknown): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
