import t from 'tap';
import { encoderOf } from '../../../src/agent/display/encoder-state.js';
import { MessageType } from '../../../src/protocol/message-type.js';

/** As the helper writes it. */
const message = (hardware: number, words: string) =>
  Buffer.concat([Buffer.of(0, 0, 0, 0, MessageType.encoder, hardware), Buffer.from(words)]);

t.test("a card's encoder has its name, and software the reason for it", async t => {
  t.same(encoderOf(message(1, 'h264_vaapi')), { type: 'encoder', encoder: 'h264_vaapi' });
  const reason = "The graphics card's encoder, h264_vaapi, ended.";
  t.same(encoderOf(message(0, reason)), { type: 'encoder', encoder: 'software', reason });
});

t.test('what is too long or has no name is not passed on', async t => {
  t.equal(encoderOf(message(0, 'a'.repeat(1000)))?.reason?.length, 600);
  for (const name of ['', 'h264 vaapi', 'x'.repeat(33), 'A"}']) t.equal(encoderOf(message(1, name)), undefined, name);
  t.equal(encoderOf(Buffer.of(0, 0, 0, 0, MessageType.encoder)), undefined);
});
