import type { Site } from '../../fixtures/pages/site-in-container.js';
import { until } from '../../fixtures/until.js';
import type { Service } from './service.js';

const CONTROL = 0xffe3;
const FOCUSED = '/focused';
const BLURRED = '/blurred';

/** A page that tells the site when it is clicked while it has the focus, and when it loses it, as to the address bar. */
export const FOCUS_PAGE = `<!doctype html><title>start</title><style>html { height: 100% }</style><script>
  onclick = () => document.hasFocus() && fetch('${FOCUSED}');
  onblur = () => fetch('${BLURRED}');
</script>`;

/** Types into the address bar above a `FOCUS_PAGE`. Both take the focus first: a window that has just appeared has none. */
export async function typeIntoAddressBar(service: Service, site: Site, text: string): Promise<void> {
  const told = (wanted: string) => site.visits.filter(({ path }) => path === wanted).length;
  await until('the page has the focus', () => {
    service.click(0.5, 0.5);
    return until('it has', () => told(FOCUSED) > 0, 2000).catch(() => false);
  });
  const before = told(BLURRED);
  service.input({ type: 'key', down: true, keysym: CONTROL });
  service.press('l'.charCodeAt(0));
  service.input({ type: 'key', down: false, keysym: CONTROL });
  await until('the address bar has the focus', () => told(BLURRED) > before);
  for (const letter of text) service.press(letter.charCodeAt(0));
}
