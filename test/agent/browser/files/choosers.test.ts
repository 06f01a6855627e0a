import t from 'tap';
import type { ExtensionChannel } from '../../../../src/agent/browser/extension/extension-channel.js';
import { Choosers } from '../../../../src/agent/browser/files/choosers.js';
import { TabsDebugger } from '../../../../src/agent/browser/files/tabs-debugger.js';
import type { FileChooser } from '../../../../src/protocol/generated/schemas.js';

const NODE = { node: { attributes: ['accept', '.pdf'] } };

/** Choosers of a browser whose answers to a method wait until they are let go. */
async function begin(held: string) {
  const handlers = new Map<string, (args: readonly unknown[]) => void>();
  const waiting: (() => void)[] = [];
  const extension = {
    isConnected: true,
    on: (event: string, handler: (args: readonly unknown[]) => void) => handlers.set(event, handler),
    call: async (_method: string, [, method]: readonly unknown[]) => {
      if (method === held) await new Promise<void>(resolve => waiting.push(resolve));
      return method === 'DOM.describeNode' ? NODE : [];
    },
  };
  const told: FileChooser[] = [];
  const choosers = new Choosers({
    tabs: new TabsDebugger(extension as unknown as ExtensionChannel),
    tell: chooser => told.push(chooser),
  });
  await choosers.enable(true);
  const event = (method: string, params: object) => handlers.get('debugger.onEvent')?.([{ tabId: 1 }, method, params]);
  return {
    choosers,
    told,
    event,
    handlers,
    clicked: (backendNodeId: number) =>
      event('Page.fileChooserOpened', { frameId: 'f', backendNodeId, mode: 'selectSingle' }),
    /** Lets all answers go; resolves when they have been taken in. */
    letGo: async () => {
      for (const resolve of waiting.splice(0)) resolve();
      await new Promise(resolve => setImmediate(resolve));
    },
  };
}

const OPEN = { type: 'file_chooser', open: true, multiple: false, accept: '.pdf' };
const CLOSED = { type: 'file_chooser', open: false };

t.test('a chooser whose page closes before it is announced is not announced', async t => {
  for (const goes of ['frame', 'tab', 'everybody', 'browser']) {
    const { choosers, told, event, handlers, clicked, letGo } = await begin('DOM.describeNode');
    clicked(7);
    if (goes === 'frame') event('Page.frameStartedNavigating', { frameId: 'f' });
    if (goes === 'tab') handlers.get('tabs.onRemoved')?.([1]);
    if (goes === 'everybody') await choosers.enable(false);
    if (goes === 'browser') handlers.get('connected')?.([]);
    await letGo();
    t.same(told, [], goes);
    t.equal(choosers.open, undefined, goes);
  }
});

t.test('one that stays is announced, even if another frame goes', async t => {
  const { told, event, clicked, letGo } = await begin('DOM.describeNode');
  clicked(7);
  event('Page.frameStartedNavigating', { frameId: 'another' });
  await letGo();
  event('Page.frameStartedNavigating', { frameId: 'f' });
  t.same(told, [OPEN, CLOSED]);
});

t.test('one that opens while the previous one gets its files stays open', async t => {
  const { choosers, told, clicked, letGo } = await begin('DOM.setFileInputFiles');
  clicked(7);
  await letGo();
  const chosen = choosers.choose(['/tmp/a']);
  clicked(8);
  await letGo();
  await letGo();
  await chosen;
  t.same(told, [OPEN, OPEN]);
  t.match(choosers.open, OPEN);
});
