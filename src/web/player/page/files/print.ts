import { element } from '../../../lib/dom.js';
import { say } from '../../../languages/page.js';

/** How long the document stays after its dialog was opened, ms: Safari's may still be reading it. */
const KEPT_MS = 60_000;

/**
 * Opens the browser's print dialog for a PDF, or the PDF in a new tab where that is not possible. Rejects if it cannot
 * be fetched.
 */
export async function printPdf(url: string): Promise<void> {
  const answer = await fetch(url, { cache: 'no-store' });
  if (!answer.ok) throw new Error(say('error_download_not_found'));
  // The service sends it as a file of no type, so that it is never shown by itself.
  const address = URL.createObjectURL(new Blob([await answer.arrayBuffer()], { type: 'application/pdf' }));
  const frame = element('iframe', { className: 'printed', src: address, title: say('print') });
  frame.onload = () => {
    try {
      const { contentWindow } = frame;
      contentWindow?.focus();
      contentWindow?.print();
    } catch {
      // The browser shows PDFs by a page of its own, or not at all.
      open(address, '_blank', 'noopener');
    }
  };
  document.body.append(frame);
  setTimeout(() => {
    frame.remove();
    URL.revokeObjectURL(address);
  }, KEPT_MS);
}
