import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { extensionZip, manifest, multipart } from '../../fixtures/extensions/files.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';

/** How long no request may keep all others waiting, milliseconds of the processor. */
const PAUSE_MS = 50;
/** The compiler and the collector of garbage take their part as well, though hardly in each of these. */
const TRIES = 3;

const service = await serveInProcess(t);

const post = (body: FormData | string) =>
  fetch(`${service.url}/v0/vm`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    },
  });

/** Milliseconds that this thread, which is the service's, has had of the processor. */
const worked = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;

/** How long the service worked at a stretch while something was under way, milliseconds. */
async function pauseDuring(work: () => Promise<void>): Promise<number> {
  let last = worked();
  let longest = 0;
  const look = () => {
    const now = worked();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
}

/** Sends what `make` makes, `check` looks at the answer; the service, which runs in this process, must not stand still. */
async function answers(
  t: Test,
  make: () => FormData | string,
  check: (status: number, body: any) => void,
  what: string,
) {
  let shortest = Infinity;
  for (let left = TRIES; left > 0 && shortest >= PAUSE_MS; left--) {
    const body = make();
    const pause = await pauseDuring(async () => {
      const response = await post(body);
      check(response.status, await response.json());
    });
    shortest = Math.min(shortest, pause);
  }
  t.ok(shortest < PAUSE_MS, `${what}: others waited ${shortest.toFixed(1)} ms`);
}

const refused = (t: Test, make: () => FormData | string, expected: [number, string], detail: RegExp, what: string) =>
  answers(
    t,
    make,
    (status, { code, details }) => {
      t.same([status, code], expected, what);
      t.match(JSON.stringify(details), detail, what);
    },
    what,
  );

const extension = (files: Record<string, string | Uint8Array>) => {
  const zip = extensionZip(files);
  return () => multipart({ extension: { field: 'ext' } }, { ext: zip });
};

t.test('no extension blocks the service', async t => {
  const deep = Object.fromEntries(Array.from({ length: 1998 }, (_, index) => [`${index}/${'a/'.repeat(100)}b`, '']));
  const noObject = /must be a JSON object/;
  const hostile: [string, Record<string, string | Uint8Array>, RegExp][] = [
    ['comments without an end', { 'manifest.json': '/* '.repeat(80 << 10) }, noObject],
    ['texts without an end', { 'manifest.json': '"\\'.repeat(120 << 10) }, noObject],
    ['brackets', { 'manifest.json': '['.repeat(250 << 10) }, noObject],
    ['a manifest of 18 MB', { 'manifest.json': '/* '.repeat(6 << 20) }, /more than 262144 bytes/],
    ['20 MB of files', { ...zeros(1000), 'manifest.json': manifest({ version: 1 }) }, /one to four numbers/],
    ['deep folders', { ...deep, 'manifest.json': '[]' }, noObject],
  ];
  for (const [what, files, detail] of hostile)
    await refused(t, extension(files), [422, 'extension_invalid'], detail, what);
});

t.test('other requests are answered while a large extension is checked', async t => {
  service.agent.onRequest = (request, response) => void request.resume().on('end', () => response.writeHead(204).end());
  await answers(t, extension(zeros(1000)), status => t.equal(status, 201), '20 MB of files');
});

t.test('no JSON blocks the service', async t => {
  const numbers = Array.from({ length: 28_000 }, (_, index) => index);
  const hostile: [string, object, RegExp][] = [
    ['languages with blanks between them', { locale: { language: `${'a  ,'.repeat(60)}!` } }, /locale\/language/],
    ['a very long list of languages', { locale: { language: `${'a  ,'.repeat(50_000)}!` } }, /locale\/language/],
    ['thousands of roles', { default_roles: numbers.map(String) }, /default_roles/],
    ['thousands of roles of other types', { default_roles: numbers }, /default_roles/],
    ['thousands of unknown fields', Object.fromEntries(numbers.slice(8000).map(index => [`f${index}`, 0])), /f8000/],
  ];
  for (const [what, body, detail] of hostile)
    await refused(t, () => JSON.stringify(body), [400, 'invalid_body'], detail, what);
});

/** Files of 20 MB together, which are small when they are packed. */
function zeros(count: number): Record<string, Uint8Array> {
  const content = new Uint8Array(Math.floor((20 << 20) / count) - 1);
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, content]));
}
