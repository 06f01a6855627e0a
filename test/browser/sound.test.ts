// tags: containers, alone
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

const TONE_HZ = 880;
const TONE = `
  show(1);
  const audio = new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: ${TONE_HZ} });
  tone.connect(audio.destination);
  tone.start();
  addEventListener('keydown', () => { tone.stop(); show(2); });`;

const service = await startService(t);
const browser = await openBrowser(t);

for (const security of ['secure', 'plain'] as const) {
  t.test(`a tone played in the session is heard in the viewer, ${security} page`, async t => {
    const session = await startSession(service, TONE);
    const viewer = await ViewerPage.open(browser, session.url, security);
    await viewer.shows(1);
    let heard = { frequency: 0, level: 0 };
    const isTone = async () => {
      heard = await viewer.sound();
      return heard.level > 100 && Math.abs(heard.frequency - TONE_HZ) < 30;
    };
    await until('the tone is heard', isTone);
    t.pass(`${heard.frequency.toFixed(0)} Hz`);
    await viewer.page.keyboard.press('a');
    await viewer.shows(2);
    await until('silence', async () => (await viewer.sound()).level < 40);
    t.pass('and silence after it has ended');
    await viewer.close();
    await service.api('DELETE', `/v0/vm/${session.id}`);
  });
}
