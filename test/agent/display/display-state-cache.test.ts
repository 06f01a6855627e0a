import t from 'tap';
import { DisplayStateCache } from '../../../src/agent/display/display-state-cache.js';
import { keyframe, rate, smallKeyframe, smallLayer, stream } from '../../../src/agent/display/messages.js';
import { MessageType } from '../../../src/protocol/message-type.js';

const message = (type: number, ...rest: number[]) => Buffer.of(0, 0, 0, 0, type, ...rest);

t.test('a restarted helper is sent the latest of all lasting state, size first', async t => {
  const memory = new DisplayStateCache();
  memory.tell(stream(true, false));
  memory.tell(rate(1000));
  memory.tell(rate(500));
  memory.tell(smallLayer(300));
  memory.tell(smallKeyframe());
  memory.tell(message(MessageType.setDisplay, 1));
  memory.tell(keyframe());
  memory.tell(message(MessageType.key, 1, 0x61, 0, 0, 0));
  t.same(
    memory.forHelper().map(bytes => bytes[4]),
    [MessageType.setDisplay, MessageType.rate, MessageType.smallLayer, MessageType.stream],
  );
  t.same(memory.told(MessageType.rate), rate(500));
});

t.test('a pasted text is sent again only while nobody inside has copied another', async t => {
  const memory = new DisplayStateCache();
  memory.tell(message(MessageType.clipboard, 0x61));
  t.equal(memory.forHelper().length, 1);
  memory.show(message(MessageType.clipboard, 0x62));
  t.equal(memory.forHelper().length, 0);
  memory.tell(message(MessageType.clipboard, 0x61));
  memory.tell(message(MessageType.content, 0x61));
  t.equal(memory.forHelper().length, 1, 'one replaces the other');
  memory.show(message(MessageType.copied, 0x62));
  t.equal(memory.forHelper().length, 0);
});

t.test('a new link is sent size, cursor, windows and layers, but no pictures', async t => {
  const memory = new DisplayStateCache();
  for (const type of [
    MessageType.layers,
    MessageType.windows,
    MessageType.video,
    MessageType.cursor,
    MessageType.audio,
    MessageType.display,
  ]) {
    memory.show(message(type));
  }
  t.same(
    memory.forLink().map(bytes => bytes[4]),
    [MessageType.display, MessageType.cursor, MessageType.windows, MessageType.layers],
  );
});
