// tags: containers, waiting
/**
 * Two regions, each with an engine of its own: the shared one, and a second as if on another machine. Consoles are what
 * runs, since their image is the smaller one to copy.
 */
import t from 'tap';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { containerOf, docker } from '../../fixtures/engines/docker.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { imageName } from '../../fixtures/engines/images.js';
import { secondEngine } from '../../fixtures/engines/second-engine.js';
import { startService } from '../../fixtures/services/service.js';

const europe = await secondEngine(t);
await europe.copy(`${imageName('base')}:latest`, `${imageName('console')}:latest`);
const origin = await serveCards(t);
const service = await startService(t, {
  BERTH_ROM_ALLOW_PRIVATE: 'true',
  BERTH_REGIONS: `NA=unix:///var/run/docker.sock,EU=tcp+tls://${europe.address}:${europe.port}`,
  BERTH_DOCKER_CERT_PATH: europe.certificates,
});

const engines = { NA: docker, EU: europe.docker };
type Region = keyof typeof engines;
const start = (region: Region) =>
  ConsoleSession.start(service, { type: 'nes', room_url: `${origin}/card.nes`, region });

/** The regions on whose engines a session's container runs. */
async function places({ id }: ConsoleSession): Promise<string[]> {
  const state = (region: Region) =>
    engines[region]('inspect', '--format', '{{.State.Status}}', containerOf(service, id)).catch(() => 'none');
  return Promise.all((['NA', 'EU'] as const).map(async region => `${region} ${await state(region)}`));
}

const isRunning = async ({ id }: ConsoleSession) =>
  (await service.api('GET', `/v0/vm/${id}`)).body.termination_date === null;

t.test("sessions run on their region's engine, show their picture and end there", async t => {
  const [america, gone] = [await start('NA'), await start('EU')];
  await Promise.all([america.shows('blue'), gone.shows('blue')]);
  t.same(await places(america), ['NA running', 'EU none']);
  t.same(await places(gone), ['NA none', 'EU running']);
  await gone.end();
  t.same(await places(gone), ['NA none', 'EU none']);
  t.same(await places(america), ['NA running', 'EU none'], "the other region's goes on");
  await america.end();
  t.same(await places(america), ['NA none', 'EU none']);
});

t.test("an engine that is down does not affect the other's sessions", async t => {
  const [america, lost] = [await start('NA'), await start('EU')];
  await Promise.all([america.shows('blue'), lost.shows('blue')]);
  await europe.stop();
  const refused = await service.api('POST', '/console', { type: 'nes', room_url: `${origin}/card.nes`, region: 'EU' });
  t.same([refused.status, refused.body.code], [503, 'engine_unavailable']);
  t.equal(await isRunning(america), true);
  await america.shows('blue');
  const another = await start('NA');
  await another.shows('blue');
  await america.end();
  t.same([await isRunning(america), await isRunning(another)], [false, true]);
  t.equal((await places(america))[0], 'NA none');
  t.equal((await places(another))[0], 'NA running');
});
