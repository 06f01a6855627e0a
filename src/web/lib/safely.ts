/** Runs a callback of the embedding page. What it throws is reported as the page's own error, and breaks nothing here. */
export function safely(callback: () => unknown): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
