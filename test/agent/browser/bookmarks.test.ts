import fc from 'fast-check';
import t from 'tap';
import { parseBookmarks } from '../../../src/agent/browser/bookmarks/bookmarks.js';

const EXPORTED = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file. <A HREF="https://no.example/">not this</A> -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
    <DL><p>
        <DT><A HREF="https://a.example/?x=1&amp;y=2" ADD_DATE="1" ICON="data:image/png;base64,aGVsbG8=">A &lt;b&gt; &#x1F600;</A>
        <DD>a description
        <DT><H3>Empty</H3>
        <DL><p></DL><p>
    </DL><p>
    <HR>
    <DT><A HREF="https://b.example/">B</A>
</DL><p>`;

t.test("browsers' exports are read with their folders", async t => {
  t.same(parseBookmarks(EXPORTED), [
    {
      title: 'Bookmarks bar',
      isToolbar: true,
      children: [
        { title: 'A <b> 😀', url: 'https://a.example/?x=1&y=2' },
        { title: 'Empty', isToolbar: false, children: [] },
      ],
    },
    { title: 'B', url: 'https://b.example/' },
  ]);
});

t.test('broken files are read as far as possible', async t => {
  t.same(parseBookmarks("<a href=https://a.example/>A<a href='https://b.example/'>B"), [
    { title: 'A', url: 'https://a.example/' },
    { title: 'B', url: 'https://b.example/' },
  ]);
  t.same(
    parseBookmarks('</DL></DL><A HREF="https://a.example/"></A>'),
    [{ title: 'https://a.example/', url: 'https://a.example/' }],
    'an address stands in for a title',
  );
  t.same(parseBookmarks('<A>no address</A><A HREF="no address">x</A><A HREF="/relative">y</A>'), []);
  t.same(parseBookmarks('a < b <A HREF="https://a.example/">1 < 2'), [{ title: '1 < 2', url: 'https://a.example/' }]);
  t.same(
    parseBookmarks('<A HREF LAST_VISIT HREF = "https://a.example/" HREF="https://b.example/">x'),
    [{ title: 'x', url: 'https://a.example/' }],
    'the first name that has a value counts',
  );
  t.same(parseBookmarks(''), []);
});

t.test('no file makes it slow, recurse deeply or throw', async t => {
  const begun = process.cpuUsage();
  for (const piece of ['<a "', '<!--', '<a href="', '<', '&', '<a href= ', '<DL><DT><H3>x</H3>', '="', '<a x ']) {
    parseBookmarks(piece.repeat((5 << 20) / piece.length));
  }
  for (const piece of ['a', ' ', 'a ', 'a= ']) parseBookmarks(`<a ${piece.repeat((5 << 20) / piece.length)}`);
  const { user, system } = process.cpuUsage(begun);
  t.ok((user + system) / 1000 < 20_000, 'each of 5 MB');
  t.doesNotThrow(() => JSON.stringify(parseBookmarks('<H3>x</H3><DL>'.repeat(10_000))));
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from('<>/="\' adlh3&#;-!')) }),
      text => void parseBookmarks(text),
    ),
  );
});
