/**
 * An agent that sends what costs the service most, as fast as its link accepts it, from the message `true` until the
 * message `false`: `mixed` messages, or `texts` of the maximum size. Between them it breaks its link, and answers requests
 * without end. The message `{"serve": secret}` makes it the agent of another session, which it answers with the address.
 */
import { FakeAgent } from '../../test/fixtures/agents/fake-agent.js';
import { cursorMessage, textMessage, videoMessage } from '../../test/fixtures/agents/messages.js';
import { MessageType } from '../../src/protocol/message-type.js';

/** Bytes buffered before it pauses: it should keep the hub busy, not the machine. */
const WAITING = 256 << 10;

const tab = {
  id: 7,
  title: '"'.repeat(1024),
  url: 'é'.repeat(8192),
  pendingUrl: '\\'.repeat(4096),
  favIconUrl: 'x'.repeat(8192),
};
const envelope = Buffer.alloc(4);
const enveloped = (message: Uint8Array) => Buffer.concat([envelope, message]);
/** A mix that uses up every budget of a link: messages, signals, texts and bytes. */
const mixed: (string | Buffer)[] = [
  JSON.stringify({ type: 'event', name: 'tabs.onUpdated', args: [7, tab] }),
  JSON.stringify({ type: 'result', id: 1, value: Array.from({ length: 700 }, (_, id) => ({ id })) }),
  JSON.stringify({ type: 'activity', idle_ms: 0, offline_ms: 1 }),
  JSON.stringify({ type: 'wants', what: 'rom' }),
  JSON.stringify({ type: 'game', paused: false, fast_forward: false }),
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  enveloped(cursorMessage(64)),
  enveloped(textMessage(MessageType.clipboard, '"'.repeat(20_000))),
  ...Array.from({ length: 200 }, (_, id) => enveloped(videoMessage(id, { key: true, bytes: 4000 }))),
  Buffer.alloc(10),
];

const texts = [
  JSON.stringify({
    type: 'event',
    name: 'tabs.onUpdated',
    args: Array.from({ length: 9000 }, () => tab.favIconUrl.slice(0, 100)),
  }),
  enveloped(textMessage(MessageType.clipboard, '"'.repeat(1_000_000))),
];
const messages = process.argv[2] === 'texts' ? texts : mixed;

const agent = await new FakeAgent().start();
let isOn = false;
let next = 0;
setInterval(() => {
  for (const link of agent.sockets) {
    for (let sent = 0; isOn && sent < messages.length && link.bufferedAmount < WAITING; sent++) {
      if (next % messages.length === 0) link.ping();
      link.send(messages[next++ % messages.length] ?? '');
    }
  }
}, 2);
/** How often a link is broken whose messages are `mixed`, ms. */
const FLAP_MS = 5000;
if (messages === mixed) setInterval(() => isOn && agent.breakLinks(), FLAP_MS);
const chunk = Buffer.alloc(64 << 10);
agent.onRequest = (_request, response) => {
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', write);
  write();
};
process.on('message', (message: boolean | { serve: string }) => {
  if (typeof message === 'boolean') isOn = message;
  else void agent.serve(message.serve).then(host => process.send?.({ host, port: agent.port }));
});
process.send?.({ port: agent.port, secret: agent.secret });
// Ends with the benchmark, however that ends.
process.on('disconnect', () => process.exit());
