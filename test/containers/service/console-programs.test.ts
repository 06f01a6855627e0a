// tags: containers, slow
import t from 'tap';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { startService } from '../../fixtures/services/service.js';

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true', BERTH_RATE_LIMIT: '0' });
const origin = await serveCards(t);
const start = (file: string) =>
  ConsoleSession.start(service, { type: 'ps1', room_url: `${origin}/${file}`, width: 640, height: 480 });

// Most of the time they wait for the BIOS.
t.jobs = 2;
for (const [file, what] of [
  ['bios-setup.exe', 'a program that leaves its pads to the BIOS'],
  ['burst.exe', 'a program that fills the drawing queue'],
  ['late.exe', 'a picture that ends after the last line of a field'],
  ['late.chd', 'the same on a disc in .chd format'],
  ['late.pbp', 'the same on a disc in .pbp format'],
  ['twice.exe', 'a picture that counts the lines of both fields'],
  ['text.exe', 'a page of letters drawn from video memory'],
  ['pal.exe', 'a program for PAL'],
  ['data.bin', 'a disc that its program reads from'],
  ['data.chd', 'the same as .chd'],
  ['data.pbp', 'the same as .pbp'],
  ['data-unlicensed.bin', 'a disc without a licence'],
] as const) {
  t.test(`ps1: ${what} is shown`, { buffered: true }, async () => {
    const session = await start(file);
    await session.fills('green');
    await session.end();
  });
}

t.test('ps1: a disc that the BIOS does not start ends its session with an explanation', { buffered: true }, async t => {
  const session = await start('data-unlicensed.chd');
  const { termination_reason, termination_message } = await session.ended(120_000);
  t.equal(termination_reason, 'failed');
  t.match(termination_message, /cannot start this disc.*licence/);
});
