// tags: containers
import t from 'tap';
import { containersOf } from '../../fixtures/engines/docker.js';
import { crx, extensionZip, manifest, multipart } from '../../fixtures/extensions/files.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';
import { Site } from '../profiles/site.js';

const service = await startService(t, { BERTH_EGRESS: 'open' });

async function post(body: FormData | string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${service.apiKey}`;
  const response = await fetch(`${service.url}/v0/vm`, {
    method: 'POST',
    body,
    headers: { authorization, ...headers },
  });
  return { status: response.status, body: await response.json() };
}

t.test('the script of an extension changes the pages of the session', async t => {
  const site = await Site.open(t);
  const zip = extensionZip({ '_metadata/verified_contents.json': '[]', 'pictures/none.txt': 'x' });
  const archives = { zip, crx: crx(zip) };
  for (const [kind, archive] of Object.entries(archives)) {
    const path = `/${kind}`;
    const request = { start_url: site.at(path), width: 640, height: 400, extension: { field: 'ext' } };
    const answer = await post(multipart(request, { ext: archive }));
    t.equal(answer.status, 201, kind);
    // The first page may be faster than the extension.
    const marked = () => site.of(path).some(({ mark }) => mark === 'by the extension');
    await until('the page is changed', marked);
    t.equal(site.of(path)[0]?.mark, 'by the extension', 'from the first page on');
    await service.api('DELETE', `/v0/vm/${answer.body.session_id}`);
  }
});

t.test('a bad upload is refused with its reason before anything starts', async t => {
  const good = extensionZip();
  const old = extensionZip({ 'manifest.json': manifest({ manifest_version: 2 }) });
  const big = Buffer.concat([good, Buffer.alloc(1 << 20)]);
  const extension = { extension: { field: 'ext' } };
  const cases: [string, FormData, [number, string], RegExp][] = [
    ['no part', multipart(extension), [400, 'invalid_body'], /\/extension\/field/],
    ['another part', multipart(extension, { other: good }), [400, 'invalid_body'], /\/extension\/field/],
    ['a part nobody asked for', multipart({}, { ext: good }), [400, 'invalid_body'], /\/extension\/field/],
    ['too large', multipart(extension, { ext: big }), [413, 'body_too_large'], /1048576/],
    ['three parts', multipart(extension, { ext: good, more: good }), [400, 'bad_request'], /only/],
    ['no archive', multipart(extension, { ext: Buffer.from('x') }), [422, 'extension_invalid'], /\/extension/],
    ['Manifest V2', multipart(extension, { ext: old }), [422, 'extension_unsupported'], /no longer runs Manifest V2/],
    ['no JSON', multipart('{', { ext: good }), [400, 'invalid_json'], /body/],
    ['a wrong field', multipart({ ...extension, fps: 1 }, { ext: good }), [400, 'invalid_body'], /\/fps/],
  ];
  for (const [what, form, expected, message] of cases) {
    const answer = await post(form);
    t.same([answer.status, answer.body.code], expected, what);
    t.match(JSON.stringify(answer.body), message, what);
  }
  const json = await service.api('POST', '/v0/vm', extension);
  t.same([json.status, json.body.details[0].path], [400, '/extension/field'], 'JSON cannot bring one along');
  const broken = await post('--x\r\nnothing', { 'content-type': 'multipart/form-data; boundary=x' });
  t.same([broken.status, broken.body.code], [400, 'bad_request'], 'a body that breaks off');
  const bare = await post('x', { 'content-type': 'multipart/form-data' });
  t.same([bare.status, bare.body.code], [400, 'bad_request'], 'no boundary');
  t.same(await containersOf(service), []);
  const plain = await post(multipart({ width: 640, height: 400 }));
  t.equal(plain.status, 201, 'multipart without an extension is fine');
});
