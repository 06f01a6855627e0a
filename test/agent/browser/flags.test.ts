import t from 'tap';
import { extensionNames } from '../../../src/agent/browser/extension/extensions.js';
import { WAITING_PAGE } from '../../../src/agent/browser/launch/first-page.js';
import { flags } from '../../../src/agent/browser/launch/flags.js';
import type { ChromiumOptions, LaunchChromium } from '../../../src/protocol/generated/schemas.js';

const usual = { restore: false, gpu: false, major: 150, extensions: ['/a', '/b'] };

function launch(chromium: Partial<ChromiumOptions> = {}): LaunchChromium {
  return {
    type: 'launch',
    kind: 'chromium',
    display: { width: 1024, height: 768, fps: 24, max_area: 786432, quality: 'smooth', hide_cursor: false },
    chromium: { start_url: 'https://example.org/', kiosk: false, webgl: false, dark: false, ...chromium },
  };
}

t.test("Chromium's own sandbox is never switched off", async t => {
  for (const webgl of [true, false]) {
    for (const gpu of [true, false]) {
      const all = flags(launch({ webgl, kiosk: true, dark: true, user_agent: 'chrome_android' }), { ...usual, gpu });
      t.notMatch(
        all.join(' '),
        /no-sandbox|disable-setuid-sandbox|disable-seccomp|disable-web-security|remote-debugging|enable-automation/,
      );
    }
  }
});

t.test('windows that pages open may have a size of their own', async t => {
  t.notMatch(flags(launch(), usual).join(' '), /--window-(size|position)/);
});

t.test('the start page comes last and cannot be a flag', async t => {
  t.same(flags(launch(), usual).slice(-2), ['--', 'https://example.org/']);
  for (const start_url of ['--no-sandbox', 'file:///etc/passwd', 'javascript:alert(1)', '']) {
    t.same(flags(launch({ start_url }), usual).slice(-2), ['--', 'about:blank'], start_url);
  }
});

t.test('a browser that is started before its launch has no page', async t => {
  const begins = (chromium: Partial<ChromiumOptions>) => flags(launch(chromium), { ...usual, isPrepared: true }).at(-1);
  t.equal(begins({}), 'http://127.0.0.1:7000/no-page');
  t.equal(begins({ adblock: true }), 'http://127.0.0.1:7000/no-page', 'nor one that waits for extensions');
});

t.test('the start page waits for the extensions it needs, and only for those', async t => {
  const begins = (chromium: Partial<ChromiumOptions>) => flags(launch(chromium), usual).at(-1);
  const needs: Partial<ChromiumOptions>[] = [
    { adblock: true },
    { draw: true },
    { extension: true },
    { user_agent: 'chrome_android' },
    { http_proxy: { pac: 'https://a.example/proxy.pac', username: 'me' } },
  ];
  for (const options of needs) {
    t.equal(begins(options), WAITING_PAGE, JSON.stringify(options));
    t.equal(
      begins({ ...options, start_url: 'data:text/html,x' }),
      'data:text/html,x',
      'what is not asked for need not wait',
    );
  }
  t.equal(
    begins({ adblock: false, draw: false, extension: false, http_proxy: { pac: 'https://a.example/proxy.pac' } }),
    'https://example.org/',
  );
});

t.test('the extension that opens the waiting page is the last to be loaded', async t => {
  t.same(
    extensionNames(launch({ adblock: true, draw: true, extension: true, user_agent: 'chrome_android' }).chromium),
    ['android', 'adblock', 'draw', 'custom', 'internal'],
  );
});

t.test('restored tabs replace the start page', async t => {
  const all = flags(launch(), { ...usual, restore: true });
  t.equal(all.at(-1), '--restore-last-session');
  t.notOk(all.includes('https://example.org/'));
});

t.test('all extensions are loaded', async t => {
  t.ok(flags(launch(), usual).includes('--load-extension=/a,/b'));
});

t.test('WebGL is drawn by the graphics card where there is one, and by SwiftShader where that fails', async t => {
  const card = { ...usual, gpu: true };
  const all = flags(launch({ webgl: true }), card);
  for (const flag of [
    '--use-angle=vulkan',
    '--enable-features=Vulkan',
    '--disable-vulkan-surface',
    '--enable-unsafe-swiftshader',
  ]) {
    t.ok(all.includes(flag), flag);
  }
  t.equal(
    all.filter(flag => /^--(use-angle|enable-features)=/.test(flag)).length,
    2,
    'none stands in the way of another',
  );
  t.notOk(all.includes('--disable-gpu'));
  t.same(flags(launch(), card), flags(launch(), usual), 'without WebGL the card is not used');
});

t.test('options become flags', async t => {
  const has = (chromium: Partial<ChromiumOptions>, flag: string, circumstances = usual) =>
    flags(launch(chromium), circumstances).includes(flag);
  t.ok(has({ kiosk: true }, '--kiosk'));
  t.notOk(has({}, '--kiosk'));
  t.ok(has({ dark: true }, '--force-dark-mode'));
  t.ok(has({}, '--disable-gpu'));
  t.notOk(has({ webgl: true }, '--disable-gpu'));
  t.ok(has({ webgl: true }, '--use-angle=swiftshader-webgl'));
  t.ok(has({ locale: { language: 'de' } }, '--accept-lang=de'));
  t.match(
    flags(launch({ user_agent: 'chrome_android' }), usual).join(' '),
    /--user-agent=.*Android 10; K.*Chrome\/150\.0\.0\.0 Mobile/,
  );
});
