import t from 'tap';
import { answerCall, CallFailure, type CallHandlers } from '../../../src/agent/link/calls.js';

const handlers: CallHandlers<'console.loadState' | 'console.pause' | 'console.reset' | 'android.logs'> = {
  'console.loadState': slot => {
    throw new CallFailure('slot_empty', `Nothing was saved in slot ${slot}.`);
  },
  'console.pause': async on => void on,
  'console.reset': () => {
    throw new Error('It broke.');
  },
  'android.logs': async lines => `${lines} lines`,
};
const answer = (method: string, ...args: unknown[]) => answerCall(handlers, { type: 'call', id: 7, method, args });

t.test('a handler gets the arguments of its call, and its result is the answer', async t => {
  t.same(await answer('android.logs', 3), { type: 'result', id: 7, value: '3 lines' });
  t.same(await answer('console.pause', true), { type: 'result', id: 7, value: null }, 'null where there is none');
});

t.test('what a handler throws is the error of the answer', async t => {
  const error = { code: 'slot_empty', message: 'Nothing was saved in slot 4.' };
  t.same(await answer('console.loadState', 4), { type: 'result', id: 7, error });
  t.match(await answer('console.reset'), { error: { code: 'internal', message: 'It broke.' } });
});

t.test('calls that a program does not have are unknown', async t => {
  for (const method of ['console.saveState', 'tabs.query', 'toString', '__proto__', ''])
    t.match(await answer(method), { error: { code: 'unknown_method', message: `There is no method ${method}.` } });
});
