import t from 'tap';
import { acceptOf } from '../../../../src/agent/browser/files/portal/accept.js';

/** Patterns as Chromium makes them of extensions. */
const globs = (...extensions: string[]) =>
  extensions.map(text => `*.${text.replace(/[a-z]/g, letter => `[${letter}${letter.toUpperCase()}]`)}`);

t.test('patterns of a dialog become extensions, as in the attribute of an input', async t => {
  t.equal(acceptOf([]), '');
  t.equal(acceptOf(globs('txt', 'mp3', 'txt')), '.txt,.mp3');
  t.equal(acceptOf(['*.PDF']), '.pdf');
});

t.test('a pattern that no attribute can express lets everything pass', async t => {
  for (const glob of ['*', '*.*', 'a*.txt', '*.tar.gz', '*.a b', '']) t.equal(acceptOf([glob, '*.txt']), '', glob);
  t.equal(acceptOf(globs(...Array.from({ length: 500 }, (_, i) => `type${i}`))), '', 'nor do too many');
});

t.test('all pictures are a type, for which phones offer their camera', async t => {
  const pictures = globs('tif', 'bmp', 'webp', 'svg', 'gif', 'ico', 'png', 'jpg', 'jpeg');
  t.equal(acceptOf([...pictures, ...globs('pdf')]), 'image/*,.pdf');
  t.equal(acceptOf(globs('png', 'jpg')), '.png,.jpg', 'some are not');
});
