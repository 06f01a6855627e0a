import t from 'tap';
import { Dialogs } from '../../../src/agent/browser/dialogs.js';
import type { Dialog } from '../../../src/protocol/generated/schemas.js';

type Handler = (args: readonly unknown[]) => void;

const of = (type: Dialog['type'], id: string = type): Dialog => ({ id, type, tab_id: 1, origin: '', message: '' });

/** The dialogs of a browser, whose extension was asked for what `asked` has, and answers with `outcome`. */
function begin(outcome = 'answered') {
  const handlers = new Map<string, Handler>();
  const asked: unknown[][] = [];
  const told: (readonly Dialog[])[] = [];
  const dialogs = new Dialogs({
    extension: {
      call: async (method, args) => (asked.push([method, ...args]), outcome),
      on: (event, handler) => void handlers.set(event, handler),
    },
    tell: message => told.push(message.dialogs),
    press: text => asked.push(['press', text]),
  });
  const changed = (...open: Dialog[]) => handlers.get('dialogs.onChanged')?.([open]);
  return { dialogs, asked, told, changed, connected: () => handlers.get('connected')?.([]) };
}

t.test('changes are told, and a new link is told what is open', async t => {
  const { dialogs, asked, told, changed, connected } = begin();
  connected();
  t.same(asked, [['dialogs.tell']], 'the extension knows what was open before this agent');
  t.same(dialogs.current, { type: 'dialogs', dialogs: [] });
  changed();
  changed(of('alert'));
  t.same(dialogs.current.dialogs, [of('alert')]);
  t.same(dialogs.calls['dialogs.list'](), [of('alert')]);
  dialogs.lost();
  t.same(told, [[of('alert')], []], 'that there is still none is no change');
});

t.test('answers fit their dialog', async t => {
  const { dialogs, asked, changed } = begin();
  changed(of('prompt'), of('auth'), of('confirm'));
  const accept = async (...args: [string, object?]) => dialogs.calls['dialogs.accept'](...args);
  await t.rejects(accept('prompt', { username: 'Ada' }), { code: 'invalid_arguments', message: /username.*prompt/ });
  await t.rejects(accept('confirm', { text: '' }), { code: 'invalid_arguments', message: /text.*confirm/ });
  await t.rejects(accept('auth', { username: 'Ada' }), { code: 'invalid_arguments', message: /username and password/ });
  await t.rejects(accept('other'), { code: 'dialog_not_found' });
  t.same(asked, []);
  await accept('prompt', { text: 'Ada' });
  await accept('auth', { username: 'Ada', password: '' });
  await accept('confirm');
  t.same(dialogs.calls['dialogs.list'](), [], 'they are closed for the next call');
  changed(of('confirm'));
  await dialogs.calls['dialogs.dismiss']('confirm');
  t.same(asked, [
    ['dialogs.answer', 'prompt', { text: 'Ada' }],
    ['dialogs.answer', 'auth', { username: 'Ada', password: '' }],
    ['dialogs.answer', 'confirm', {}],
    ['dialogs.answer', 'confirm', null],
  ]);
});

t.test('an answer to a dialog that has just closed says so', async t => {
  const { dialogs, changed } = begin('gone');
  changed(of('alert'));
  await t.rejects(async () => dialogs.calls['dialogs.dismiss']('alert'), { code: 'dialog_not_found' });
});

t.test('a page is gone on to as people do, and whether the browser does so', async t => {
  const { dialogs, asked, changed } = begin();
  changed(of('certificate'));
  const going = dialogs.calls['dialogs.accept']('certificate');
  await new Promise(setImmediate);
  t.same(asked, [
    ['dialogs.answer', 'certificate', {}],
    ['press', 'thisisunsafe'],
  ]);
  changed();
  await going;
  changed(of('certificate'));
  await t.rejects(async () => dialogs.calls['dialogs.accept']('certificate'), { code: 'dialog_not_answered' });
});
