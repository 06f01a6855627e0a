import t from 'tap';
import { filesText, sizeText } from '../../../src/web/player/page/files/size.js';

t.test('sizes are readable', t => {
  const told = [0, 1, 999, 1000, 1449, 123_456, 999_999, 5_000_000, 2.5e9, 7e15].map(sizeText);
  t.same(told, ['0 B', '1 B', '999 B', '1.0 kB', '1.4 kB', '123 kB', '1000 kB', '5.0 MB', '2.5 GB', '7000 TB']);
  t.end();
});

t.test('one file is shown by its name, several by their number', t => {
  t.equal(filesText([{ name: 'a.txt' }]), 'a.txt');
  t.equal(filesText([{ name: 'a.txt' }, { name: 'b.txt' }]), '2 files');
  t.end();
});
