/**
 * A fake agent in its own process: sends synthetic frames while anybody watches, and answers each pointer move with a
 * frame and each key with a patch. The message `{"serve": secret}` makes it the agent of another session, which it
 * answers with the address.
 */
import { FakeAgent } from '../../test/fixtures/agents/fake-agent.js';
import { patchMessage } from '../../test/fixtures/agents/messages.js';
import { MessageType } from '../../src/protocol/message-type.js';

const fps = Number(process.argv[2] ?? 24);
const agent = await new FakeAgent().start();
agent.sizes = { key: 80_000, delta: 8000 };
agent.onReceived = ({ type }) => {
  if (type === MessageType.move) agent.sendFrame();
  if (type === MessageType.key) agent.send(patchMessage(agent.frame));
};
process.on('message', ({ serve }: { serve: string }) => {
  void agent.serve(serve).then(host => process.send?.({ host, port: agent.port }));
});
if (fps > 0) setInterval(() => agent.sendFrame(), 1000 / fps);
process.send?.({ port: agent.port, secret: agent.secret });
// Ends with the benchmark, however that ends.
process.on('disconnect', () => process.exit());
