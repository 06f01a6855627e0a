import t from 'tap';
import { EngineError } from '../../../src/server/engines/index.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';

t.test("a start that fails in the engine says why, even if the container's end is reported first", async t => {
  const { api, engine } = await serveInProcess(t);
  engine.hold = async (_signal, sessionId) => {
    // What a failed start has made is removed, and that is an event of its own.
    engine.events?.exited(sessionId, { type: 'removed', at: Date.now() });
    throw new EngineError('unfit', 'The engine lacks the graphics card.');
  };
  const response = await api('POST', '/v0/vm');
  const { code, message } = (await response.json()) as Record<string, unknown>;
  t.same([response.status, code, message], [502, 'start_failed', 'The engine lacks the graphics card.']);
});
