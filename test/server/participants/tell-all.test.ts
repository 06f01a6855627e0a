import t from 'tap';
import type { ToViewer } from '../../../src/protocol/generated/schemas.js';
import { tellAll } from '../../../src/server/participants/viewer/viewer.js';

t.test('a message to all viewers is serialized once, and not for nobody', async t => {
  let times = 0;
  const message: ToViewer = { type: 'event', name: 'tabs.onCreated', args: [{ toJSON: () => ({ times: ++times }) }] };
  tellAll([], message);
  t.equal(times, 0);
  const said: Buffer[] = [];
  tellAll(
    Array.from({ length: 100 }, () => ({ tellJson: (json: Buffer) => void said.push(json) })),
    message,
  );
  t.equal(times, 1);
  t.same([...new Set(said)].map(String), ['{"type":"event","name":"tabs.onCreated","args":[{"times":1}]}']);
  t.equal(said.length, 100);
});
