// tags: containers, alone
import { decode } from 'fast-png';
import t, { type Test } from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

const HALVES =
  'data:text/html,<style>body{margin:0;background:linear-gradient(90deg,rgb(200,30,60)50%25,rgb(20,160,240)50%25)}</style>';
const MOTION =
  'data:text/html,<canvas id=c width=1280 height=720></canvas><script>let n=0;const x=c.getContext("2d");' +
  '(function f(){x.fillStyle=`hsl(${n++},80%25,50%25)`;x.fillRect(0,0,1280,720);requestAnimationFrame(f)})()</script>';

async function start(t: Test, page: string) {
  const computer = await Computer.start(t);
  const service = await Service.connect(t, computer);
  await service.run(launchOf({ start_url: page, kiosk: true }));
  const get = async (query = '') => {
    const response = await computer.screenshot(query);
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
  };
  const picture = async (query?: string) => {
    const { data, width, height } = decode((await get(query)).bytes);
    const at = (x: number, y: number) => [...data.slice((y * width + x) * 3, (y * width + x) * 3 + 3)];
    return { width, height, at };
  };
  return { service, get, picture };
}

t.test('pictures of the display', async t => {
  const { service, get, picture } = await start(t, HALVES);
  const whole = await until('the page is there', async () => {
    // Until the display has its size there is no picture, and the window fills it a little after the page is drawn.
    if ((await get('?width=16')).status !== 200) return null;
    const shot = await picture();
    const isThere = [0, 719].every(y => shot.at(0, y)[0] === 200 && shot.at(1279, y)[0] === 20);
    return isThere && shot;
  });
  t.same([whole.width, whole.height], [1280, 720]);
  t.same(whole.at(639, 10), [200, 30, 60]);
  t.same(whole.at(641, 719), [20, 160, 240]);

  await t.test('without the cursor', async t => {
    service.input({ type: 'move', x: 0.25, y: 0.5 });
    t.same((await picture()).at(322, 366), [200, 30, 60]);
  });

  await t.test('smaller ones keep the aspect ratio', async t => {
    const small = await picture('?width=320');
    t.same([small.width, small.height], [320, 180]);
    t.same(small.at(150, 90), [200, 30, 60]);
    t.same(small.at(170, 90), [20, 160, 240]);
  });

  await t.test('odd widths, the smallest and the largest', async t => {
    for (const [width, height] of [
      [16, 9],
      [321, 181],
      [1279, 719],
      [1280, 720],
    ] as const) {
      const shot = await picture(`?width=${width}`);
      t.same([shot.width, shot.height], [width, height]);
    }
  });

  await t.test('impossible widths are refused', async t => {
    for (const width of [15, 1281, 0, 70_000]) t.equal((await get(`?width=${width}`)).status, 400, `${width}`);
  });
});

t.test('a running stream continues between the pieces', async t => {
  const { service, get } = await start(t, MOTION);
  service.watch();
  await until('the page moves', () => service.of(MessageType.video).length > 30);
  const [alone, beside] = [
    { frames: 0, ms: 0 },
    { frames: 0, ms: 0 },
  ];
  /** Counts the frames of half a second, with pictures taken all the while or none. */
  const count = async (total: typeof alone, pictures: boolean) => {
    const [from, begun] = [service.messages.length, performance.now()];
    const refused = [];
    while (performance.now() < begun + 500) {
      if (!pictures) await new Promise(resolve => setTimeout(resolve, 50));
      else if ((await get()).status !== 200) refused.push(performance.now());
    }
    t.same(refused, []);
    total.frames += service.of(MessageType.video, from).length;
    total.ms += performance.now() - begun;
  };
  // In turns, so that whatever else the machine does takes from both.
  for (let turn = 0; turn < 6; turn++) {
    await count(alone, false);
    await count(beside, true);
  }
  const perSecond = ({ frames, ms }: typeof alone) => Math.round((frames * 1000) / ms);
  t.comment(`frames a second: ${perSecond(alone)} alone, ${perSecond(beside)} with one picture after the other`);
  t.ok(perSecond(beside) > perSecond(alone) / 2, 'frames go on');
  t.equal(service.of(MessageType.shot).length, 0, 'the link gets no pieces');
});
