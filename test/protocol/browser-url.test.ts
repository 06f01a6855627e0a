import t from 'tap';
import { browserUrl, isChromePage } from '../../src/protocol/browser-url.js';

t.test('an address has one form, however it was written', async t => {
  const forms: Record<string, string> = {
    'https://Example.com': 'https://example.com/',
    'HTTP://example.com/A': 'http://example.com/A',
    'about:blank': 'about:blank',
    'ABOUT:BLANK#a': 'about:blank#a',
    'about:blank?a': 'about:blank?a',
    'about:srcdoc': 'about:srcdoc',
    'about:version': 'chrome://version',
    'about:newtab': 'chrome://newtab',
    'about:blanket': 'chrome://blanket',
    'about:settings/search?q=A': 'chrome://settings/search?q=A',
    'about:': 'chrome://version',
    'about://gpu': 'chrome://gpu',
    'CHROME://version': 'chrome://version',
    'chrome://gpu': 'chrome://gpu',
    'data:text/html,<p>A</p>': 'data:text/html,<p>A</p>',
  };
  for (const [written, form] of Object.entries(forms)) t.equal(browserUrl(written), form, written);
  for (const form of Object.values(forms)) t.equal(browserUrl(form), form, `${form} stays as it is`);
});

t.test('what no session may start with has none', async t => {
  const others = ['example.com', '', 'file:///etc/passwd', 'javascript:alert(1)', 'about:///', 'about: x'];
  for (const address of [...others, 'view-source:https://example.com', 'chrome-extension://a/b'])
    t.equal(browserUrl(address), null, address);
});

t.test("Chromium's own pages are known by any form of their address", async t => {
  for (const address of ['chrome://version', 'CHROME://version', 'about:gpu', 'chrome:version'])
    t.ok(isChromePage(address), address);
  for (const address of ['about:blank', 'https://chrome.example', undefined])
    t.notOk(isChromePage(address), String(address));
});
