/** A hub as a process, attached to an agent. Tells its address, and the CPU time used when asked. */
import { HubFixture, launch, SESSION, tokens } from '../../test/fixtures/hub.js';

const fixture = await new HubFixture().start();
await fixture.hub.attach({
  sessionId: SESSION,
  host: '127.0.0.1',
  port: Number(process.argv[2]),
  secret: process.argv[3] ?? '',
  launch,
  defaults: { roles: ['control'], control_disabled: false },
  auth: { type: 'token' },
  tokens,
});
process.on('message', () => process.send?.({ cpu: process.cpuUsage(), counts: fixture.metrics.counts }));
process.send?.({ url: fixture.url() });
// Ends with the benchmark, however that ends.
process.on('disconnect', () => process.exit());
