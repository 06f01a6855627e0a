import t from 'tap';
import { BACKLOG_MAX_BYTES, VideoGate } from '../../../src/agent/link/video-gate.js';
import { MessageType } from '../../../src/protocol/message-type.js';
import { audioMessage, cursorMessage, patchMessage, videoMessage } from '../../fixtures/agents/messages.js';

const toAll = (message: Buffer) => Buffer.concat([Buffer.alloc(4), message]);
const video = toAll(videoMessage(1));
const keyFrame = toAll(videoMessage(2, { key: true }));
const audio = toAll(audioMessage(1));
const cursor = toAll(cursorMessage(1));
const patch = toAll(patchMessage(1));

t.test('a link that keeps up gets everything', async t => {
  const gate = new VideoGate();
  for (const message of [video, keyFrame, audio, cursor, patch]) t.equal(gate.offer(message, 1000), 'send');
});

t.test('on a slow link media are dropped up to the next key frame', async t => {
  const gate = new VideoGate();
  t.equal(gate.offer(video, BACKLOG_MAX_BYTES + 1), 'drop');
  t.equal(gate.offer(audio, BACKLOG_MAX_BYTES), 'drop');
  t.equal(gate.offer(cursor, BACKLOG_MAX_BYTES), 'send', 'small messages of other kinds pass');
  t.equal(gate.offer(keyFrame, BACKLOG_MAX_BYTES), 'drop', 'it has to drain first');
  t.equal(gate.offer(video, 0), 'drop and ask for a key frame');
  t.equal(gate.offer(video, 0), 'drop', 'asked for once');
  t.equal(gate.offer(keyFrame, 0), 'send');
  t.equal(gate.offer(video, 0), 'send');
});

t.test('each layer resumes with a key frame of its own', async t => {
  const gate = new VideoGate();
  const small = toAll(videoMessage(3, { small: true }));
  gate.offer(small, BACKLOG_MAX_BYTES + 1);
  t.equal(gate.offer(audio, 0), 'send');
  t.equal(gate.offer(keyFrame, 0), 'send');
  t.equal(gate.offer(small, 0), 'drop and ask for a key frame');
  t.equal(gate.offer(small, 0), 'drop', 'asked for once');
  t.equal(gate.offer(video, 0), 'send', 'the other layer goes on');
  t.equal(gate.offer(toAll(videoMessage(4, { small: true, key: true })), 0), 'send');
  t.equal(gate.offer(small, 0), 'send');
});

t.test('patches go on frames of the full layer, and so to links that have all of them', async t => {
  const gate = new VideoGate();
  gate.offer(video, BACKLOG_MAX_BYTES + 1);
  t.equal(gate.offer(patch, BACKLOG_MAX_BYTES + 1), 'drop');
  t.equal(gate.offer(patch, 0), 'drop', 'until the next key frame');
  t.equal(gate.offer(toAll(videoMessage(3, { small: true, key: true })), 0), 'send');
  t.equal(gate.offer(patch, 0), 'drop');
  t.equal(gate.offer(keyFrame, 0), 'send');
  t.equal(gate.offer(patch, 0), 'send');
});

t.test('a message too short to be media does not open it', async t => {
  const gate = new VideoGate();
  gate.offer(video, BACKLOG_MAX_BYTES + 1);
  t.not(gate.offer(toAll(Buffer.of(MessageType.video, 1)), 0), 'send');
});
