// tags: containers
import t from 'tap';
import { encodePad, PadButton } from '../../../src/protocol/pad.js';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { startService } from '../../fixtures/services/service.js';

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const origin = await serveCards(t);

/** Programs that draw in other ways than the usual libraries do. */
const WAYS = {
  'card-deep.z64': 'the processor draws 32-bit pixels',
  'card-rdp.z64': 'the RDP draws a list that the processor hands it',
  'card-rsp.z64': 'the RDP draws a list that a microcode of its own hands it',
  'card-open.z64': 'it starts as programs made with libdragon do',
};

t.jobs = 2;
for (const [file, way] of Object.entries(WAYS)) {
  t.test(`an n64 program is shown and played where ${way}`, { buffered: true }, async t => {
    const session = await ConsoleSession.start(service, {
      type: 'n64',
      room_url: `${origin}/${file}`,
      width: 640,
      height: 480,
    });
    const viewer = await session.join();
    await session.shows('blue');
    viewer.send(encodePad({ type: 'pad', player: 0, control: 'button', id: PadButton.b, down: true }));
    await session.shows('red');
    viewer.send(encodePad({ type: 'pad', player: 0, control: 'button', id: PadButton.b, down: false }));
    await session.shows('blue');
    t.notOk(
      viewer.all('session').some(({ state }) => state === 'restarting'),
      'the emulator has not crashed',
    );
    viewer.leave();
    await session.end();
  });
}
