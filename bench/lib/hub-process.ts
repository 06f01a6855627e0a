/**
 * A hub in its own process, with a session for each agent, given as `<port> <secret>`. Reports the addresses of their
 * streams and, on request, the CPU time used.
 */
import { LINK_VERSION } from '../../src/protocol/link-proof.js';
import { SessionHost, launch, tokens } from '../../test/fixtures/services/session-host.js';

const fixture = await new SessionHost().start();
const urls: string[] = [];
for (let index = 2; index < process.argv.length; index += 2) {
  const sessionId = `session-${index / 2}`;
  fixture.statuses.set(sessionId, 'running');
  await fixture.connect({
    sessionId,
    host: '127.0.0.1',
    port: Number(process.argv[index]),
    linkVersion: LINK_VERSION,
    secret: process.argv[index + 1] ?? '',
    launch,
    defaults: { roles: ['control', 'chrome_apis', 'clipboard_copy'], control_disabled: false },
    auth: { type: 'token' },
    tokens,
  });
  urls.push(fixture.url(`embed-${sessionId}`, sessionId));
}
process.on('message', () => process.send?.({ cpu: process.cpuUsage(), counts: fixture.metrics.counts }));
process.send?.({ url: urls[0], urls });
// Ends with the benchmark, however that ends.
process.on('disconnect', () => process.exit());
