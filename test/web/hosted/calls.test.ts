/** Calls of the hosted service's client, numbered as that client does. */
import t from 'tap';
import { ClientCalls, type CalledSession } from '../../../src/web/hosted/calls.js';
import { Resizes } from '../../../src/web/hosted/resizes.js';
import { CallError } from '../../../src/web/sdk/errors.js';
import { remoteTabs } from '../../../src/web/sdk/tabs.js';

/** A session that notes its calls; `answer` gives their results. */
function called(answer: (method: string) => unknown = () => null) {
  const calls: unknown[] = [];
  const told: unknown[] = [];
  const note = async (method: string, args: readonly unknown[]): Promise<any> => {
    calls.push([method, ...args]);
    return answer(method);
  };
  const { tabs, dispatch } = remoteTabs(note as Parameters<typeof remoteTabs>[0]);
  const session: CalledSession = {
    tabs,
    resize: (...args) => note('resize', args),
    setPermissions: (...args) => note('setPermissions', args),
    addRoles: (...args) => note('addRoles', args),
    removeRoles: (...args) => note('removeRoles', args),
    enablePrivacyMode: (...args) => note('enablePrivacyMode', args),
    disablePrivacyMode: (...args) => note('disablePrivacyMode', args),
  };
  return { client: new ClientCalls(session, message => told.push(message)), calls, told, dispatch };
}

t.test('calls have results, and what changes something has true', async t => {
  const { client, calls, told } = called(method => (method === 'tabs.query' ? [{ id: 1 }] : null));
  await client.call({ m: 'tabs.query', a: [{}], i: 0 });
  await client.call({ m: 'tabs.remove', a: [1], i: 1 });
  await client.call({ m: 'setPermissions', a: ['u', { priority: 1 }], i: 2, t: 'token' });
  await client.call({ m: 'addRoles', a: [['u'], ['control'], undefined], i: 3 });
  await client.call({ m: 'removeRoles', a: [['u'], ['control'], true], i: 4 });
  await client.call({ m: 'resize', a: [640, 480], i: 5 });
  await client.call({ m: 'enablePrivacyMode', a: ['u'], i: 6 });
  await client.call({ m: 'disablePrivacyMode', a: [], i: 7 });
  t.same(calls, [
    ['tabs.query', {}],
    ['tabs.remove', 1],
    ['setPermissions', 'u', { priority: 1 }],
    ['addRoles', ['u'], ['control'], undefined],
    ['removeRoles', ['u'], ['control'], true],
    ['resize', 640, 480],
    ['enablePrivacyMode', 'u'],
    ['disablePrivacyMode'],
  ]);
  t.same(told, [{ i: 0, r: [{ id: 1 }] }, { i: 1, r: undefined }, ...[2, 3, 4, 5, 6, 7].map(i => ({ i, r: true }))]);
});

t.test('errors are told by their message', async t => {
  const { client, told } = called(() => {
    throw new CallError('tab_error', 'No tab with id: 7.');
  });
  await client.call({ m: 'tabs.get', a: [7], i: 0 });
  await client.call({ m: 'tabs.explode', a: [], i: 1 });
  await client.call({ m: 'constructor', a: [], i: 2 });
  t.same(told, [
    { i: 0, r: undefined, e: 'No tab with id: 7.' },
    { i: 1, r: undefined, e: 'This service has no tabs.explode.' },
    { i: 2, r: undefined, e: 'This service has no constructor.' },
  ]);
});

t.test('events have the number of the call that registered their listener, after its answer', async t => {
  const { client, told, dispatch } = called();
  const added = client.call({ m: 'tabs.onMoved.addListener', a: [], i: 3 });
  dispatch('tabs.onMoved', ['too early: it would be taken for the answer']);
  await added;
  dispatch('tabs.onMoved', [1, { toIndex: 2 }]);
  dispatch('tabs.onCreated', [{ id: 4 }]);
  await client.call({ m: 'tabs.onMoved.removeListener', a: [3], i: 0 });
  dispatch('tabs.onMoved', [1, { toIndex: 3 }]);
  await client.call({ m: 'tabs.onMoved.removeListener', a: [99], i: 0 });
  t.same(told, [
    { i: 3, r: undefined },
    { i: 3, r: [1, { toIndex: 2 }] },
    { i: 0, r: undefined },
    { i: 0, r: undefined },
  ]);
});

t.test('a late answer to a call that was given up does not answer the next one of its number', async t => {
  const answers: ((value: unknown) => void)[] = [];
  const { client, told } = called(() => new Promise(resolve => answers.push(resolve)));
  const first = client.call({ m: 'tabs.getZoom', a: [1], i: 0 });
  const second = client.call({ m: 'tabs.getZoom', a: [2], i: 0 });
  answers[0]?.(1);
  await first;
  t.same(told, []);
  answers[1]?.(2);
  await second;
  t.same(told, [{ i: 0, r: 2 }]);
});

t.test('a resize is done when the display has its size', async t => {
  const resizes = new Resizes();
  resizes.sized({ width: 640, height: 400 });
  const asked: string[] = [];
  const ask = (width: number, height: number) => {
    const done = resizes.ask({ width, height }, () => asked.push(`${width}x${height}`));
    const told = { done: '' };
    done.then(
      () => (told.done = 'done'),
      (error: CallError) => (told.done = error.code),
    );
    return told;
  };
  const settled = () => new Promise(resolve => setImmediate(resolve));
  const [same, overtaken, wanted, refused, lost] = [
    ask(640, 400),
    ask(800, 600),
    ask(700, 500),
    ask(900, 900),
    ask(500, 500),
  ];
  t.equal(asked.length, 5);
  await settled();
  t.same([same.done, wanted.done], ['done', '']);
  resizes.sized({ width: 700, height: 500 });
  resizes.refused(new CallError('clipboard_too_large', ''));
  await settled();
  t.same([overtaken.done, wanted.done, refused.done], ['done', 'done', ''], 'whatever was asked for before');
  resizes.refused(new CallError('too_large', ''));
  resizes.lost();
  await settled();
  t.same([refused.done, lost.done], ['too_large', 'connection_lost']);
  await t.rejects(
    resizes.ask({ width: 1, height: 1 }, () => {
      throw new RangeError('too many pixels');
    }),
    RangeError,
  );
});
