import type { Site } from '../../fixtures/site.js';
import { until } from '../../fixtures/until.js';
import type { Service } from './service.js';

const CONTROL = 0xffe3;
const BLURRED = '/blurred';

/** A page that tells the site when it loses the focus, as to the address bar. */
export const FOCUS_PAGE = `<!doctype html><title>start</title><script>
  onblur = () => fetch('${BLURRED}');
  focus();
</script>`;

/** Types into the address bar above a `FOCUS_PAGE`, once that has the focus: a window that has just appeared has none. */
export async function typeIntoAddressBar(service: Service, site: Site, text: string): Promise<void> {
  const hasFocus = () => site.visits.some(({ path }) => path === BLURRED);
  await until('the address bar has the focus', () => {
    service.input({ type: 'key', down: true, keysym: CONTROL });
    service.press('l'.charCodeAt(0));
    service.input({ type: 'key', down: false, keysym: CONTROL });
    return until('it has', hasFocus, 2000).catch(() => false);
  });
  for (const letter of text) service.press(letter.charCodeAt(0));
}
