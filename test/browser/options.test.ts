// tags: containers
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { startService } from '../fixtures/services/service.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

/** Bits of what the page in the session finds out about its browser. */
const FOUND = { dark: 1, language: 2, languages: 4, android: 8, webgl: 16, kiosk: 32 } as const;

const FIND_OUT = `
  const gl = document.createElement('canvas').getContext('webgl');
  const tell = () => show(
    (matchMedia('(prefers-color-scheme: dark)').matches ? ${FOUND.dark} : 0)
    | (navigator.language === 'de-CH' ? ${FOUND.language} : 0)
    | (navigator.languages.join() === 'de-CH,fr' ? ${FOUND.languages} : 0)
    | (/Android/.test(navigator.userAgent) ? ${FOUND.android} : 0)
    | (gl ? ${FOUND.webgl} : 0)
    | (innerHeight === screen.height ? ${FOUND.kiosk} : 0));
  addEventListener('resize', tell);
  tell();`;

const service = await startService(t);
const browser = await openBrowser(t);

const cases = [
  {
    name: 'the options reach the page',
    options: {
      dark: true,
      locale: { language: 'de-CH, fr;q=0.8', country: 'CH' },
      user_agent: 'chrome_android',
      webgl: true,
      kiosk: true,
    },
    finds: Object.values(FOUND).reduce((sum, bit) => sum | bit, 0),
  },
  {
    name: 'all of them but kiosk, which is requested, are off by default',
    options: { kiosk: true },
    finds: FOUND.kiosk,
  },
];

for (const { name, options, finds } of cases) {
  t.test(name, async t => {
    const session = await startSession(service, FIND_OUT, options);
    const viewer = await ViewerPage.open(browser, session.url);
    await viewer.shows(finds);
    t.pass(
      `found: ${Object.entries(FOUND)
        .filter(([, bit]) => finds & bit)
        .map(([key]) => key)
        .join(', ')}`,
    );
    await viewer.close();
    await service.api('DELETE', `/v0/vm/${session.id}`);
  });
}
