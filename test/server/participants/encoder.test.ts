import t from 'tap';
import { SESSION, startSession } from '../../fixtures/services/session-host.js';
import { until } from '../../fixtures/until.js';

t.test('sessions with a graphics card are counted by the encoder of their picture, until they end', async t => {
  const { agent, host } = await startSession(t);
  const counts = () => Object.fromEntries(host.metrics.encodedBy);
  agent.tell({ type: 'encoder', encoder: 'h264_vaapi' });
  await until('it is counted', () => host.metrics.encodedBy.get('h264_vaapi') === 1);
  agent.tell({ type: 'encoder', encoder: 'h264_vaapi' });
  const reason = "The graphics card's encoder, h264_vaapi, did not answer in time.";
  agent.tell({ type: 'encoder', encoder: 'software', reason });
  await until('the next one is', () => host.metrics.encodedBy.get('software') === 1);
  t.same(counts(), { h264_vaapi: 0, software: 1 });
  for (const encoder of ['invented-1', 'invented-2']) agent.tell({ type: 'encoder', encoder });
  await until('invented ones are one', () => host.metrics.encodedBy.get('other') === 1);
  await host.end(SESSION, { reason: 'request' });
  t.same(counts(), { h264_vaapi: 0, software: 0, other: 0 });
});
