/** Text as HTML. */
export const escape = (text: unknown): string =>
  String(text).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** Text with `code` spans and blank lines between paragraphs, as HTML. */
export function prose(text: string): string {
  return text
    .split(/\n\n+/)
    .map(paragraph => `<p>${inline(paragraph)}</p>`)
    .join('\n');
}

/** Text with `code` spans, as HTML without paragraphs. */
export function inline(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** A block of code. */
export function code(text: string): string {
  return `<pre tabindex="0"><code>${escape(text)}</code></pre>`;
}

export const formatted = (value: unknown): string => code(JSON.stringify(value, null, 2));
