import t from 'tap';
import { attachment, safeName } from '../../../src/agent/files/file-name.js';

t.test('harmless names stay as they are', t => {
  for (const name of ['report.pdf', 'Übersicht (2).xlsx', 'a b.c', '漢字.txt', 'tar.gz']) t.equal(safeName(name), name);
  t.end();
});

const hostile = [
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..', 'file'],
  ['.bashrc', 'bashrc'],
  ['', 'file'],
  ['C:\\autoexec.bat', 'C:_autoexec.bat'],
  ['a\r\nSet-Cookie: b', 'a__Set-Cookie: b'],
  ['a\0b', 'a_b'],
  ['txt.\u202egpj.exe', 'txt._gpj.exe'],
  ['\ud800.txt', '_.txt'],
] as const;

for (const [name, safe] of hostile) t.equal(safeName(name), safe, JSON.stringify(name));

t.test('a name that is too long is cut before its extension', t => {
  const name = safeName(`${'ü'.repeat(500)}.jpeg`);
  t.ok(Buffer.byteLength(name) <= 200);
  t.match(name, /^ü+\.jpeg$/);
  t.equal(safeName(name), name);
  t.end();
});

t.test('the header has the name in ASCII and in full', t => {
  t.equal(attachment('a.txt'), `attachment; filename="a.txt"; filename*=UTF-8''a.txt`);
  t.equal(
    attachment('naïve "x" (1)%.txt'),
    `attachment; filename="na_ve _x_ (1)_.txt"; filename*=UTF-8''na%C3%AFve%20%22x%22%20%281%29%25.txt`,
  );
  t.end();
});
