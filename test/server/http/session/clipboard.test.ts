import t from 'tap';
import { CONTENT_FORM_MAX_BYTES } from '../../../../src/protocol/message-type.js';
import { serveInProcess } from '../../../fixtures/services/in-process.js';

const service = await serveInProcess(t);
const { session_id } = (await (await service.api('POST', '/v0/vm', {})).json()) as { session_id: string };
const url = `${service.url}/s/${session_id}/clipboard`;
const headers = { authorization: `Bearer ${service.apiKey}` };
const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;

t.test('the clipboard is set, and a copied picture fetched, within their limits', async t => {
  const asked: string[] = [];
  service.agent.onRequest = (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    request.on('end', () => {
      if (request.method === 'PUT') response.writeHead(204).end();
      else response.writeHead(200, { 'content-type': 'text/html', 'content-length': 3 }).end('PNG');
    });
  };
  const form = new FormData();
  form.set('text', 'né');
  t.equal((await fetch(url, { method: 'POST', headers, body: form })).status, 204);
  const large = new FormData();
  large.set('png', new Blob([new Uint8Array(CONTENT_FORM_MAX_BYTES)]));
  const refused = await fetch(url, { method: 'POST', headers, body: large });
  t.same([refused.status, await codeOf(refused)], [413, 'body_too_large']);
  const picture = await fetch(`${url}/7`, { headers });
  t.equal(await picture.text(), 'PNG');
  t.match(Object.fromEntries(picture.headers), { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
  t.equal(await codeOf(await fetch(`${url}/x`, { headers })), 'picture_not_found');
  t.same(asked, ['PUT /clipboard', 'GET /clipboard/7']);
});

t.test('a container cannot send a picture without end', async t => {
  service.agent.onRequest = (_request, response) =>
    response.writeHead(200, { 'content-length': 11 << 20 }).write('PNG');
  t.equal(await codeOf(await fetch(`${url}/7`, { headers })), 'agent_failed');
});
