import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { Clipboard } from '../../../src/agent/clipboard/clipboard.js';
import { serve } from '../../../src/agent/link/routes.js';
import { copy, decodeContent } from '../../../src/protocol/clipboard.js';
import { fromHelper, USER_BYTES } from '../../../src/protocol/display-helper.js';
import type { FromAgent } from '../../../src/protocol/generated/schemas.js';
import { pngOf } from '../../fixtures/media/png.js';

const log = { info: () => undefined, warn: () => undefined };
const none = new Uint8Array();

/** A clipboard behind the agent's port, and what it sends to the helper and to links. */
async function start(t: Test) {
  const sent: Uint8Array[] = [];
  const shown: Buffer[] = [];
  const told: FromAgent[] = [];
  const clipboard = new Clipboard({
    send: body => sent.push(body),
    show: body => shown.push(body),
    tell: message => told.push(message),
  });
  const server = createServer((request, response) => void serve(clipboard.routes, request, response, log));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/clipboard`;
  return { clipboard, url, sent, shown, told };
}

/** What the helper says of a copy. */
function copied(text: string, html: string, picture: Uint8Array, incomplete = false): Buffer {
  const [textBytes, htmlBytes] = [Buffer.from(text), Buffer.from(html)];
  const head = { incomplete, textSize: textBytes.length, htmlSize: htmlBytes.length };
  return Buffer.from(fromHelper.copied.encode(head, USER_BYTES, Buffer.concat([textBytes, htmlBytes, picture])));
}

t.test('a form sets the clipboard', async t => {
  const { url, sent } = await start(t);
  const form = new FormData();
  form.set('text', 'né');
  form.set('html', '<b>né</b>');
  form.set('png', new Blob([Uint8Array.from(pngOf(2, 3))]));
  t.equal((await fetch(url, { method: 'PUT', body: form })).status, 204);
  const content = sent[0] && decodeContent(sent[0], USER_BYTES);
  t.match(content, { text: 'né', html: '<b>né</b>' });
  t.same(content?.picture, pngOf(2, 3));
});

t.test('what is no content is refused in words', async t => {
  const { url, sent } = await start(t);
  const form = (name: string, value: string | Blob) => {
    const form = new FormData();
    form.set(name, value);
    return form;
  };
  for (const [body, message] of [
    [form('other', 'x'), 'The form has a field "other", which is none of text, html and png.'],
    [form('text', 'x'.repeat((1 << 20) + 1)), 'text must have at most 1 MiB.'],
    [form('html', new Blob(['x'])), 'html must be text, not a file.'],
    [form('png', 'x'), 'png must be a file.'],
    [form('png', new Blob(['GIF89a'])), 'png must be a PNG of at most 10 MiB and 64 megapixels.'],
    ['x', 'The body is not a form.'],
  ] as const) {
    const answer = await fetch(url, { method: 'PUT', body });
    t.equal(answer.status, 400);
    t.same(await answer.json(), { code: 'clipboard_invalid', message });
  }
  t.same(sent, []);
});

t.test('the picture of the newest copy is there under its number', async t => {
  const { clipboard, url, shown } = await start(t);
  clipboard.copied(copied('né', '<b>né</b>', pngOf(2, 3)));
  const [body] = shown;
  const head = body && copy.decode(body, USER_BYTES);
  t.same(head, { picture: 1, pictureSize: 32, textSize: 3 });
  t.equal(body && copy.bodyOf(body, USER_BYTES).toString(), 'né<b>né</b>');
  const answer = await fetch(`${url}/1`);
  t.same(new Uint8Array(await answer.arrayBuffer()), pngOf(2, 3));
  clipboard.copied(copied('', '', pngOf(1, 1)));
  t.equal((await fetch(`${url}/1`)).status, 404);
  t.equal((await fetch(`${url}/2`)).status, 200);
  clipboard.copied(copied('x', '<i>x</i>', none));
  t.equal((await fetch(`${url}/2`)).status, 404);
});

t.test('what is missing is told, and what is damaged is left out', async t => {
  const { clipboard, shown, told } = await start(t);
  clipboard.copied(copied('', '', none, true));
  t.match(told, [{ type: 'notice', code: 'copy_too_large' }]);
  t.same(shown, []);
  clipboard.copied(copied('x', '', Uint8Array.of(1, 2, 3)));
  t.match(shown[0] && copy.decode(shown[0], USER_BYTES), { picture: 0, textSize: 1 });
});
