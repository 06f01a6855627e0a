import { readFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import { checkExtension } from '../../../src/server/extensions/check.js';
import { crx, extensionZip, manifest } from '../../fixtures/extensions/files.js';

const refused = (t: Test, archive: Buffer, message: RegExp, what: string, failure = 'extension_invalid') =>
  t.rejects(checkExtension(archive), { name: 'ExtensionError', failure, message }, what);

/** The archive with a name in it replaced by one of the same length. */
function renamed(archive: Buffer, from: string, to: string): Buffer {
  if (from.length !== to.length) throw new Error('not of the same length');
  const copy = Buffer.from(archive);
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 1)) copy.write(to, at, 'latin1');
  return copy;
}

/** The archive with a number changed at an offset of the directory's entry of a file. */
function patched(archive: Buffer, file: string, offset: number, value: number, bytes: 2 | 4 = 4): Buffer {
  const copy = Buffer.from(archive);
  const at = copy.lastIndexOf(file) - 46 + offset;
  if (bytes === 4) copy.writeUInt32LE(value, at);
  else copy.writeUInt16LE(value, at);
  return copy;
}

t.test('a zip archive is used as it is, a CRX package without its header', async t => {
  const zip = extensionZip({ 'images/a.txt': 'x', 'deep/er/b.txt': 'y' });
  for (const archive of [zip, crx(zip), crx(zip, 2)]) t.ok((await checkExtension(archive)).equals(zip));
  const commented = extensionZip({ 'manifest.json': `\uFEFF// a comment\n${manifest({ name: 'http://x' })}/* end */` });
  t.ok(await checkExtension(commented));
});

t.test('files that are not archives, or are damaged, are refused', async t => {
  const zip = extensionZip({ 'a.txt': 'a'.repeat(2000) });
  await refused(t, Buffer.alloc(0), /not a zip archive/, 'nothing');
  await refused(t, Buffer.from('hello'.repeat(20)), /not a zip archive/, 'a text');
  await refused(t, crx(zip).subarray(0, 20), /CRX header/, 'a cut off package');
  const newer = crx(zip);
  newer.writeUInt32LE(9, 4);
  await refused(t, newer, /CRX header/, 'a package of another version');
  await refused(t, zip.subarray(50), /damaged/, 'without its beginning');
  await refused(t, patched(zip, 'a.txt', 24, 10), /damaged/, 'a file that is larger than it says');
  await refused(t, patched(zip, 'a.txt', 24, 5000), /not as long/, 'a file that is smaller than it says');
  await refused(t, patched(zip, 'a.txt', 42, 0xfffffff0), /damaged/, 'a file that lies elsewhere');
  await refused(t, patched(zip, 'a.txt', 8, 1, 2), /encrypted/, 'an encrypted file');
  await refused(t, patched(zip, 'a.txt', 10, 12, 2), /compressed in an unknown way/, 'another compression');
});

t.test('archives that would fill the disk are refused', async t => {
  await refused(t, extensionZip({ bomb: new Uint8Array(21 << 20) }), /more than 20971520 bytes/, 'a large file');
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`f${index}`, '']));
  await refused(t, extensionZip(many), /more than 2000 entries/, 'many files');
});

t.test('paths that leave the archive are refused', async t => {
  const zip = extensionZip({ 'aa/bb/cccc.txt': 'x' });
  const elsewhere = [
    '../../cccc.txt',
    '/a/bb/cccc.txt',
    'aa/../cccc.txt',
    'aa\\bb\\cccc.txt',
    'C:/bb/cccc.txt',
    'aa/./b/ccc.txt',
    'aa//b/cccc.txt',
    'aa/bb/cc\0c.txt',
  ];
  for (const path of elsewhere)
    await refused(t, renamed(zip, 'aa/bb/cccc.txt', path), /not a plain path/, JSON.stringify(path));
  const link = patched(zip, 'aa/bb/cccc.txt', 38, (0o120777 << 16) >>> 0);
  await refused(t, link, /neither a file nor a folder/, 'a symbolic link');
  const two = extensionZip({ 'one.txt': 'x', 'two.txt': 'y' });
  await refused(t, renamed(two, 'two.txt', 'one.txt'), /twice/, 'a name twice');
  const below = extensionZip({ 'a.tx': 'x', 'b.tx/c': 'y' });
  await refused(t, renamed(below, 'b.tx', 'a.tx'), /both a file and a folder/, 'a file below a file');
  await refused(t, renamed(zip, 'cccc', 'c\xff\xff\xff'), /not UTF-8/, 'an unknown encoding');
});

t.test('manifests that Chromium would not accept are refused with the reason', async t => {
  const moved = renamed(extensionZip(), 'manifest.json', 'sub/fest.json');
  await refused(t, moved, /no manifest.json at its root/, 'none');
  const cases: [string, RegExp][] = [
    ['{', /must be a JSON object/],
    ['[]', /must be a JSON object/],
    [manifest({ manifest_version: 4 }), /"manifest_version" must be 3/],
    [manifest({ manifest_version: '3' }), /"manifest_version" must be 3/],
    [manifest({ name: '' }), /"name"/],
    [manifest({ version: 1 }), /"version"/],
    [manifest({ version: 'one' }), /"version"/],
  ];
  for (const [text, message] of cases) await refused(t, extensionZip({ 'manifest.json': text }), message, text);
  const { key } = JSON.parse(await readFile('src/extensions/internal/manifest.json', 'utf8')) as { key: string };
  const lines = key.replace(/.{64}/g, '$&\n');
  const forms = [
    key,
    `-----BEGIN PUBLIC KEY-----\n${lines}\n-----END PUBLIC KEY-----`,
    // Chromium takes all of these for the same key.
    `-----BEGIN public x509 KEY-----\n${lines}\n-----END`,
    `-----BEGIN AAAA KEY-----${key}-----END BBBB-----`,
    `-----BEGIN PUBLIC K\nEY-----\r\n \t${lines.replaceAll('\n', '\r\n\v ')}\f\n---\n--END whatever else`,
    `-----BEGINKEY-----${key}-----END PUBLIC KEY-----AAAA`,
  ];
  for (const form of forms) {
    await refused(
      t,
      extensionZip({ 'manifest.json': manifest({ key: form }) }),
      /"key" is that of the extension/,
      form,
    );
  }
  for (const other of ['-----BEGIN', '-----BEGIN KEY-----', `-----END${key}-----BEGIN KEY-----`, '']) {
    t.ok(await checkExtension(extensionZip({ 'manifest.json': manifest({ key: other }) })), `another key: ${other}`);
  }
  t.ok(await checkExtension(extensionZip({ 'manifest.json': manifest({ key: `A${key.slice(1)}` }) })), 'another key');
  for (const version of [1, 2]) {
    const old = extensionZip({ 'manifest.json': manifest({ manifest_version: version }) });
    await refused(t, old, /Chromium no longer runs Manifest V2/, `version ${version}`, 'extension_unsupported');
  }
});
