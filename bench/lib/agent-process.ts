/**
 * A fake agent in its own process: sends synthetic frames while anybody watches, and answers each pointer move with a
 * frame.
 */
import { FakeAgent } from '../../test/fixtures/fake-agent.js';
import { MessageType } from '../../src/protocol/message-type.js';

const fps = Number(process.argv[2] ?? 24);
const agent = await new FakeAgent().start();
agent.sizes = { key: 80_000, delta: 8000 };
agent.onReceived = ({ type }) => {
  if (type === MessageType.move) agent.sendFrame();
};
if (fps > 0) setInterval(() => agent.sendFrame(), 1000 / fps);
process.send?.({ port: agent.port, secret: agent.secret });
// Ends with the benchmark, however that ends.
process.on('disconnect', () => process.exit());
