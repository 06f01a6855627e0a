import type { HttpError } from '../../model/index.js';

const escape = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** The error page for a person who opens a session's address. */
export function errorPage(error: HttpError): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(error.message)}</title>
<style>
  :root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif; }
  body { display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 0 1.5rem; text-align: center; }
</style>
<p role="alert">${escape(error.message)}</p>
</html>
`;
}
