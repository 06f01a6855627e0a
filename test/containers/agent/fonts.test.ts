// tags: containers
/** Scripts of which the fonts must tell languages apart, and emoji. */
import { decode } from 'fast-png';
import t from 'tap';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

const ROW = 120;

/** Shows the rows of text in its address, and below them one in a colour that says which of the pages is drawn. */
const PAGE = `<!doctype html><meta charset="utf-8"><body><style>
body { margin: 0; background: white }
p { margin: 0; height: ${ROW}px; font: 80px/${ROW}px sans-serif; white-space: nowrap; overflow: hidden }
</style><script>
document.body.insertAdjacentHTML('beforeend', decodeURIComponent(location.search.slice(1)));
document.body.insertAdjacentHTML('beforeend', '<p style="background: rgb(1, 2, ' + location.pathname.slice(1) + ')">');
</script>`;

const computer = await Computer.start(t);
const service = await Service.connect(t, computer);
await computer.serve(PAGE);

let pages = 0;

/** The pictures of rows of text, once all of them are drawn. */
async function drawn(rows: readonly string[]): Promise<Buffer[]> {
  await service.call('tabs.update', null, {
    url: `http://localhost:8000/${++pages}?${encodeURIComponent(rows.join(''))}`,
  });
  const { data, width } = await until('the text is drawn', async () => {
    const response = await computer.screenshot();
    if (response.status !== 200) return null;
    const picture = decode(new Uint8Array(await response.arrayBuffer()));
    const last = (rows.length * ROW + ROW / 2) * picture.width * 3;
    return String(picture.data.slice(last, last + 3)) === `1,2,${pages}` && picture;
  });
  const bytes = ROW * width * 3;
  return rows.map((_, row) => Buffer.from(data.slice(row * bytes, (row + 1) * bytes)));
}

await service.run(launchOf({ kiosk: true }));
await until('the browser can be called', () => service.call('tabs.query', {}).then(Boolean, () => false));

t.test('Japanese, Korean and both kinds of Chinese have their own shapes', async t => {
  const languages = ['ja', 'ko', 'zh-CN', 'zh-TW', 'zh-HK'];
  for (const font of ['sans-serif', 'serif', 'monospace', 'system-ui', 'Arial']) {
    const rows = languages.map(lang => `<p lang=${lang} style="font-family:${font}">直骨令化返角述</p>`);
    const pictures = await drawn(rows);
    const kinds = new Set(pictures.map(picture => picture.toString('latin1'))).size;
    t.equal(kinds, languages.length, font);
  }
});

t.test('emoji of recent years are pictures in colour, not boxes', async t => {
  const emoji = ['😀', '🫠', '🫨', '🐦‍🔥', '🫩'];
  const pictures = await drawn(emoji.map(emoji => `<p>${emoji}</p>`));
  pictures.forEach((picture, i) => {
    let coloured = 0;
    for (let at = 0; at < picture.length; at += 3) {
      const [red = 0, green = 0, blue = 0] = picture.subarray(at, at + 3);
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) coloured++;
    }
    t.ok(coloured > 500, `${emoji[i]}: ${coloured} pixels`);
  });
});
