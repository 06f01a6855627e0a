import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import t from 'tap';
import { BerthView } from '../../../src/web/react/index.js';
import { applySettings, identity, mountOptions, type SessionOptions } from '../../../src/web/react/session-options.js';
import type { CommonSession } from '../../../src/web/sdk/index.js';

const URL_A = 'https://berth.example/s/a?token=1';

t.test('what a session keeps decides whether another one is mounted; other callbacks do not', t => {
  const before = identity(URL_A, { name: 'Ada', webhookUserdata: { id: 1 }, onUsers: () => undefined, volume: 1 });
  const same = { name: 'Ada', webhookUserdata: { id: 1 } };
  t.equal(identity(URL_A, { ...same, onUsers: () => 'another', volume: 0.5, adminToken: 'secret' }), before);
  t.equal(identity(URL_A, { ...same, onNotice: () => undefined }), before);
  for (const other of [{ name: 'Bob' }, { webhookUserdata: { id: 2 } }, { persistScreen: true }, { touchPad: 'on' }]) {
    t.not(identity(URL_A, { ...same, ...other } as SessionOptions), before, JSON.stringify(other));
  }
  for (const name of ['frameCb', 'videoTrackCb', 'audioTrackCb', 'onFileChooser']) {
    const given = identity(URL_A, { ...same, [name]: () => undefined });
    t.not(given, before, name);
    t.equal(identity(URL_A, { ...same, [name]: () => 'another' }), given, name);
  }
  t.not(identity('https://berth.example/s/b?token=1', same), before);
  t.end();
});

t.test(
  'the callbacks of the latest rendering are called; those that say something by being there are not made up',
  t => {
    const told: string[] = [];
    let options: SessionOptions = { onNotice: sentence => told.push(`first: ${sentence}`) };
    const given = mountOptions(() => options);
    given.onNotice?.('a');
    options = { onNotice: sentence => told.push(`second: ${sentence}`), onResize: () => told.push('resized') };
    given.onNotice?.('b');
    given.onResize?.({ width: 1, height: 1 });
    options = {};
    given.onNotice?.('c');
    t.same(told, ['first: a', 'second: b', 'resized']);
    t.equal(given.onFileChooser, undefined);
    t.equal(given.frameCb, undefined);
    t.end();
  },
);

t.test('settings are set when they change, and take their default when they go', t => {
  const set: [string, unknown][] = [];
  const session = new Proxy({} as CommonSession, { set: (_, name, value) => set.push([String(name), value]) > 0 });
  applySettings(session, { volume: 0.5, name: 'Ada' }, { volume: 0.5, disableInput: true, name: 'Bob' });
  t.same(set.splice(0), [['disableInput', true]]);
  applySettings(session, { volume: 0.5, playoutDelay: 300, adminToken: 'secret' }, {});
  t.same(set, [
    ['adminToken', undefined],
    ['volume', 1],
    ['playoutDelay', 0],
  ]);
  t.end();
});

t.test('on a server an empty element is rendered', t => {
  const html = renderToString(createElement(BerthView, { embedURL: URL_A, className: 'computer', id: 'it' }));
  t.equal(html, '<div id="it" class="computer"></div>');
  t.end();
});
