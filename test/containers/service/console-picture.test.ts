// tags: containers
import { decode } from 'fast-png';
import t from 'tap';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { colourOf } from '../../fixtures/consoles/hue.js';
import { startService } from '../../fixtures/services/service.js';

/** Pixels of the display, and the share of the height that a picture of whole lines has at least. */
const WIDTH = 1280;
const HEIGHT = 720;

const CONSOLES = [
  { type: 'nes', file: 'card.nes', lines: 224, aspect: 1.31 },
  { type: 'snes', file: 'card.sfc', lines: 224, aspect: 1.31 },
  { type: 'n64', file: 'card.z64', lines: 240, aspect: 1.33 },
  { type: 'ps1', file: 'card.exe', lines: 240, aspect: 1.22 },
] as const;

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true', BERTH_RATE_LIMIT: '0' });
const origin = await serveCards(t);

/** The display of a session. */
async function screenshot(id: string) {
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const answer = await fetch(`${service.url}/s/${id}/screenshot`, { headers });
  return decode(new Uint8Array(await answer.arrayBuffer()));
}

/** The runs of equal colours on the way down the middle of a session's display: each with its name and its pixels. */
async function column(id: string) {
  const { data, width, height } = await screenshot(id);
  const runs: { colour: string; pixels: number }[] = [];
  for (let y = 0; y < height; y++) {
    const at = (y * width + Math.floor(width / 2)) * 3;
    const rgb = [...data.slice(at, at + 3)];
    const colour = rgb.every(level => level === 0) ? 'border' : (colourOf(rgb) ?? rgb.join());
    const last = runs.at(-1);
    if (last?.colour === colour) last.pixels++;
    else runs.push({ colour, pixels: 1 });
  }
  return runs;
}

/** How large what is not black in a session's display is, and how many colours there are. */
async function look(id: string) {
  const { data, width, height } = await screenshot(id);
  const colours = new Set<number>();
  const box = { left: width, right: 0, top: height, bottom: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      const colour = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
      colours.add(colour);
      if (colour === 0) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x + 1);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y + 1);
    }
  }
  return {
    colours: colours.size,
    width: box.right - box.left,
    height: box.bottom - box.top,
    centre: (box.left + box.right) / 2,
  };
}

for (const { type, file, lines, aspect } of CONSOLES) {
  t.test(`${type}: the picture has its aspect ratio and whole lines, and nothing ever covers it`, async t => {
    const session = await ConsoleSession.start(service, { type, room_url: `${origin}/${file}` });
    await session.shows('blue');
    const viewer = await session.join();
    t.match(viewer.all('display'), [{ width: WIDTH, height: HEIGHT, fps: 60 }]);
    viewer.leave();

    const { width, height, centre } = await look(session.id);
    // A cartridge of the n64 may leave some lines at the edge black.
    const whole = Math.round(height / lines) * lines;
    t.ok(height <= whole && height > whole - 6, `${height} pixels for ${lines} lines`);
    t.ok(whole > HEIGHT - lines, 'as large as fits');
    t.ok(Math.abs(width / height - aspect) < 0.02, `${width}x${height}`);
    t.ok(Math.abs(centre - WIDTH / 2) < 4, 'in the middle');

    for (const [method, ...args] of [
      ['saveState', 1],
      ['loadState', 1],
      ['pause', true],
      ['pause', false],
      ['fastForward', true],
      ['fastForward', false],
    ] as const) {
      const { status } = await service.api('POST', `/s/${session.id}/console.${method}`, args);
      t.equal(status, 200, `${method} ${args.join()}`);
      t.equal((await look(session.id)).colours, 2, 'the game and the border, nothing else');
    }
    await session.end();
  });
}

for (const { width, height, picture, what } of [
  { width: 1280, height: 720, picture: 574, what: 'with two pixels each, since that leaves little empty' },
  { width: 640, height: 480, picture: 480, what: 'as large as fits' },
]) {
  t.test(`ps1: all 287 lines of PAL are shown in ${width}x${height}, ${what}`, async t => {
    const session = await ConsoleSession.start(service, {
      type: 'ps1',
      room_url: `${origin}/edges.exe`,
      width,
      height,
    });
    await session.fills('green');
    const runs = (await column(session.id)).filter(({ colour }) => colour !== 'border');
    t.same(
      runs.map(({ colour }) => colour),
      ['blue', 'green', 'red'],
      'from the first line to the last',
    );
    const pixels = runs.reduce((sum, run) => sum + run.pixels, 0);
    t.ok(Math.abs(pixels - picture) <= 1, `${pixels} pixels high`);
    await session.end();
  });
}
