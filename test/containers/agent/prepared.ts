import type { Test } from 'tap';
import type { Launch } from '../../../src/protocol/generated/schemas.js';
import { COMMON_PREPARATION, type Preparation } from '../../../src/protocol/preparation.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

/** Chromium's main process. */
export const CHROMIUM = /^\/usr\/lib\/chromium\/chromium (?!.*--type=)/;

/** A page that reports, once it is loaded, what scripts can see of how it was opened. */
export const PAGE = `<!doctype html><title>here</title><body style="background:#204080"><script>
const moves = [];
for (const type of ['mousemove', 'mouseover', 'mouseout']) addEventListener(type, ({ x, y }) => moves.push([type, x, y]));
const sizes = [innerWidth, innerHeight, outerWidth, outerHeight, screen.width, screen.height];
// A window that was not prepared gets its last size while its page loads.
const report = () => innerWidth === outerWidth ? fetch('/report', { method: 'POST', body: JSON.stringify({
  history: history.length,
  visibility: document.visibilityState,
  isFocused: document.hasFocus(),
  referrer: document.referrer,
  opener: window.opener,
  type: performance.getEntriesByType('navigation')[0].type,
  sizes,
  laterSizes: [innerWidth, innerHeight, outerWidth, outerHeight, screen.width, screen.height],
  place: [screenX, screenY],
  ratio: devicePixelRatio,
  languages: navigator.languages,
  isDark: matchMedia('(prefers-color-scheme: dark)').matches,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  agent: navigator.userAgent,
  moves,
  isActivated: navigator.userActivation.hasBeenActive,
  webdriver: navigator.webdriver,
  storage: [localStorage.length, sessionStorage.length, document.cookie],
}) }) : setTimeout(report, 100);
addEventListener('load', () => setTimeout(report, 300));
</script>`;

export const START = 'http://localhost:8000/start';

/** A container that has prepared its browser, or with `isReady` false is about to. */
export async function prepared(t: Test, preparation: Preparation | null = COMMON_PREPARATION, isReady = true) {
  const computer = await Computer.start(t, preparation === null ? {} : { preparation });
  if (preparation !== null && isReady) await connected(computer, 1);
  return computer;
}

/** Waits until the browser of a container is ready for so many times. */
export const connected = (computer: Computer, times: number) =>
  until('it is prepared', async () => (await computer.log()).split('"extension connected"').length > times);

export const logged = async (computer: Computer, event: string) => (await computer.log()).includes(`"${event}"`);

/** Launches on a page; gives what the page saw, and its request. */
export async function start(t: Test, computer: Computer, launch: Launch = launchOf({ start_url: START })) {
  const site = await computer.serve(PAGE);
  const service = await Service.connect(t, computer);
  await service.run(launch);
  const seen = await until('the page is loaded', () => site.reports[0] as Record<string, unknown> | undefined);
  return { site, service, seen, headers: site.visits[0]?.headers };
}
