import t from 'tap';
import type { TabDebugger } from '../../src/extensions/internal/debugger.js';
import { TabSetups } from '../../src/extensions/internal/tab-setups.js';
import type { TabSetup } from '../../src/protocol/extension.js';

t.teardown(() => Reflect.deleteProperty(globalThis, 'chrome'));

type Listener = (...args: unknown[]) => void;

/** A browser whose tab 9 admits no debugger, and whose other tabs answer when they are let go. */
function begin() {
  const listeners: Record<string, Listener> = {};
  const on = (name: string) => ({ addListener: (listener: Listener) => (listeners[name] = listener) });
  Object.assign(globalThis, { chrome: { debugger: { onDetach: on('detach'), onEvent: on('event') } } });
  const sent: unknown[][] = [];
  const waiting: (() => void)[] = [];
  const held: (() => void)[] = [];
  let holds: string | undefined;
  let failing: string | undefined;
  const send = async (tabId: number, method: string, params: Record<string, unknown> = {}, session = 'page') => {
    if (tabId === 9) throw new Error('Cannot attach to this target.');
    if (method === failing) throw new Error('It failed.');
    if (params['autoAttach'] === false && 'filter' in params) throw new Error('Target filter should be empty.');
    sent.push([session, method, summary(params)]);
    await new Promise<void>(resolve => (session === holds ? held : waiting).push(resolve));
  };
  const setups = new TabSetups({ send } as unknown as TabDebugger);
  const settle = async () => {
    while (waiting.length > 0) {
      for (const resolve of waiting.splice(0)) resolve();
      await new Promise(resolve => setImmediate(resolve));
    }
  };
  return {
    detach: () => listeners['detach']?.({ tabId: 1 }),
    attached: (sessionId: string, type: string, waitingForDebugger = true, parent?: string) =>
      listeners['event']?.({ tabId: 1, sessionId: parent }, 'Target.attachedToTarget', {
        sessionId,
        targetInfo: { type },
        waitingForDebugger,
      }),
    /** Has a method fail from now on; none without it. */
    fail: (method?: string) => (failing = method),
    /** Has a session not answer until the returned function is called. */
    hold: (session: string) => {
      holds = session;
      return () => {
        holds = undefined;
        waiting.push(...held.splice(0));
      };
    },
    gone: (sessionId: string) => listeners['event']?.({ tabId: 1 }, 'Target.detachedFromTarget', { sessionId }),
    /** What is sent until all is answered, for each session. */
    sentBy: async (act: () => unknown) => {
      const acted = Promise.resolve(act());
      acted.catch(() => undefined);
      await settle();
      await acted;
      return sent.splice(0);
    },
    setUp: (name: string, wanted: TabSetup, tabId = 1) => setups.setUp(tabId, name, wanted),
  };
}

/** The parts that are attached to, and whether they wait. */
function summary({ filter, autoAttach, waitForDebuggerOnStart, ...others }: Record<string, unknown>): unknown {
  if (autoAttach === undefined) return others;
  const types = ((filter ?? []) as { type?: string; exclude: boolean }[]).flatMap(
    ({ type, exclude }) => type ?? (exclude ? [] : ['all']),
  );
  return { types, on: autoAttach, waits: waitForDebuggerOnStart };
}

const PHONE: TabSetup = { commands: [['override']], parts: ['iframe', 'service_worker'], startsPaused: true };
const CHOOSERS: TabSetup = { commands: [['enable'], ['intercept', { enabled: true }]], parts: ['iframe'] };
const NO_CHOOSERS: TabSetup = { commands: [['enable'], ['intercept', { enabled: false }]], parts: [] };

const attach = (types: string[], waits: boolean) => ['Target.setAutoAttach', { types, on: types.length > 0, waits }];

t.test('several setups of a tab are attached to with one command', async t => {
  const { setUp, sentBy } = begin();
  t.same(
    await sentBy(() => setUp('choosers', CHOOSERS)),
    [
      ['page', 'enable', {}],
      ['page', 'intercept', { enabled: true }],
      ['page', ...attach([], false)],
      ['page', ...attach(['iframe'], false)],
    ],
    'what was attached for an extension before is told of again',
  );
  t.same(await sentBy(() => setUp('phone', PHONE)), [
    ['page', 'override', {}],
    ['page', ...attach(['all'], true)],
  ]);
  t.same((await sentBy(() => setUp('choosers', NO_CHOOSERS))).at(-1), ['page', 'intercept', { enabled: false }]);
  t.same((await sentBy(() => setUp('phone', { ...PHONE, parts: [] }))).at(-1), ['page', ...attach([], false)]);
});

t.test('attaching is asked for again only if it changes', async t => {
  // Chrome lets go of a frame that is about to begin when asked again, and pauses it for ever.
  const { setUp, sentBy, attached, detach, fail } = begin();
  const attachCalls = (all: unknown[][]) => all.filter(([, method]) => method === 'Target.setAutoAttach');
  await sentBy(() => setUp('phone', PHONE));
  await sentBy(() => attached('frame', 'iframe'));
  t.same(attachCalls(await sentBy(() => setUp('phone', PHONE))), [], 'a next page');
  t.same(attachCalls(await sentBy(() => setUp('choosers', CHOOSERS))), [], 'what is attached to already');
  t.same(attachCalls(await sentBy(() => setUp('choosers', NO_CHOOSERS))), []);
  t.same(
    attachCalls(await sentBy(() => setUp('phone', { ...PHONE, startsPaused: false }))),
    ['frame', 'page'].flatMap(session => [
      [session, ...attach([], false)],
      [session, ...attach(['iframe', 'service_worker'], false)],
    ]),
    'a change lets go first',
  );
  detach();
  t.same(
    attachCalls(await sentBy(() => setUp('phone', PHONE))),
    [
      ['page', ...attach([], false)],
      ['page', ...attach(['all'], true)],
    ],
    'a debugger that attaches anew',
  );
  fail('Target.setAutoAttach');
  await t.rejects(sentBy(() => setUp('phone', { ...PHONE, startsPaused: false })));
  fail();
  t.same(
    attachCalls(await sentBy(() => setUp('phone', { ...PHONE, startsPaused: false }))).at(-1),
    ['page', ...attach(['iframe', 'service_worker'], false)],
    'what failed',
  );
});

t.test('a new part is set up and continued at once, without waiting for answers', async t => {
  const { setUp, sentBy, attached } = begin();
  await sentBy(() => setUp('choosers', CHOOSERS));
  await sentBy(() => setUp('phone', PHONE));
  t.same(await sentBy(() => attached('worker', 'service_worker')), [
    ['worker', 'override', {}],
    ['worker', 'Runtime.runIfWaitingForDebugger', {}],
  ]);
  t.same(
    await sentBy(() => attached('frame', 'iframe')),
    [
      ['frame', ...attach(['all'], true)],
      ['frame', 'enable', {}],
      ['frame', 'intercept', { enabled: true }],
      ['frame', 'override', {}],
      ['frame', 'Runtime.runIfWaitingForDebugger', {}],
    ],
    'a frame, and what begins in it',
  );
  t.same(
    await sentBy(() => attached('late', 'service_worker', false)),
    [['late', 'override', {}]],
    'one that runs already',
  );
});

t.test('existing parts get later setups, and lose them', async t => {
  const { setUp, sentBy, attached, gone } = begin();
  await sentBy(() => setUp('phone', PHONE));
  await sentBy(() => ['frame', 'gone'].forEach(session => attached(session, 'iframe')));
  await sentBy(() => attached('inner', 'iframe', true, 'gone'));
  await sentBy(() => attached('worker', 'service_worker'));
  gone('gone');
  const toParts = (all: unknown[][]) =>
    all.filter(([session, method]) => session !== 'page' && method !== 'Target.setAutoAttach');
  t.same(toParts(await sentBy(() => setUp('choosers', CHOOSERS))), [
    ['frame', 'enable', {}],
    ['frame', 'intercept', { enabled: true }],
  ]);
  t.same(toParts(await sentBy(() => setUp('choosers', NO_CHOOSERS))), [
    ['frame', 'enable', {}],
    ['frame', 'intercept', { enabled: false }],
  ]);
  t.same(toParts(await sentBy(() => setUp('choosers', NO_CHOOSERS))), [], 'once');
  t.same(
    (await sentBy(() => attached('next', 'iframe'))).map(([, method]) => method),
    ['Target.setAutoAttach', 'override', 'Runtime.runIfWaitingForDebugger'],
  );
});

t.test('a tab is set up when its parts are', async t => {
  const { setUp, sentBy, attached, hold } = begin();
  await sentBy(() => setUp('phone', PHONE));
  await sentBy(() => attached('frame', 'iframe'));
  const release = hold('frame');
  let isSetUp = false;
  const whole = setUp('choosers', CHOOSERS).then(() => (isSetUp = true));
  await sentBy(() => undefined);
  t.notOk(isSetUp, 'not while a frame of another site has not answered');
  release();
  await sentBy(() => whole);
  t.ok(isSetUp);

  hold('frame');
  await sentBy(() => setUp('choosers', NO_CHOOSERS));
  t.pass('a frame that never answers is not waited for');
});

t.test('nothing waits forever, and nothing is kept of a page that is gone', async t => {
  const { setUp, sentBy, attached, detach } = begin();
  const letGo = [['worker', 'Runtime.runIfWaitingForDebugger', {}]];
  t.same(await sentBy(() => attached('worker', 'service_worker')), letGo, 'attached for an extension before');
  await sentBy(() => setUp('phone', PHONE));
  detach();
  t.same(await sentBy(() => attached('worker', 'service_worker')), letGo);
  await t.rejects(
    sentBy(() => setUp('phone', PHONE, 9)),
    { message: 'Cannot attach to this target.' },
  );
});
