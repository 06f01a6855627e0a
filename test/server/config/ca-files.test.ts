import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { parseConfig } from '../../../src/server/config/config.js';
import { AUTHORITY, LOCALHOST } from '../../fixtures/certificates/index.js';

const authority = await readFile(AUTHORITY, 'utf8');
const folder = t.testdir({
  'none.pem': 'This is no certificate.',
  'key.pem': LOCALHOST.key,
  'server.pem': LOCALHOST.cert,
  'damaged.pem': authority.replace(/(?<=-\n)\w{20}/, 'A'.repeat(20)),
  'mixed.pem': `# Ours\r\n${authority.replaceAll('\n', '\r\n')}\n${LOCALHOST.cert}`,
});
const certificates = (files: string) => parseConfig({ BERTH_CA_FILES: files }, folder).caCertificates;

t.test('each certificate in the files is taken once', async t => {
  t.same(parseConfig({}, folder).caCertificates, []);
  t.same(certificates(AUTHORITY), [authority]);
  await writeFile(join(folder, 'two.pem'), `Ours:\r\n${authority.replaceAll('\n', '\r\n')}${authority}`);
  t.same(certificates(`two.pem, ${AUTHORITY}`), [authority], 'paths are relative to where the service runs');
});

t.test('a file that cannot be used ends the start with a sentence that names it', async t => {
  for (const [name, sentence] of [
    ['missing.pem', /must name PEM files, but \S+missing\.pem cannot be read \(ENOENT\)\.$/],
    ['.', /cannot be read \(EISDIR\)\.$/],
    ['none.pem', /none\.pem has no certificate\.$/],
    ['key.pem', /key\.pem has no certificate\.$/],
    ['damaged.pem', /the certificate in \S+damaged\.pem is damaged\.$/],
    ['server.pem', /the certificate in \S+server\.pem is not one: it may sign no others\.$/],
    ['mixed.pem', /certificate 2 in \S+mixed\.pem is not one: it may sign no others\.$/],
  ] as const)
    t.throws(() => certificates(name), { name: 'ConfigError', message: sentence }, name);
});
