// tags: containers
/** Displays that are narrower than the least width of Chromium's windows, 500 pixels. */
import { decode } from 'fast-png';
import t from 'tap';
import { toHelper } from '../../../src/protocol/display-helper.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

/** Green, but for a red edge of 4 pixels to the right. */
const PAGE = `<!doctype html><meta name="viewport" content="width=device-width">
<body style="margin:0;height:100vh;background:rgb(20,200,60);border-right:4px solid rgb(200,30,60);box-sizing:border-box">
<script>
const tell = () => fetch('/report', { method: 'POST', body: JSON.stringify([innerWidth, document.body.offsetWidth]) });
addEventListener('resize', tell);
tell();
</script>`;
const GREEN = [20, 200, 60];
const RED = [200, 30, 60];

const MODES = [
  ['below its toolbar', false],
  ['in kiosk mode', true],
] as const;

for (const [MODE, kiosk] of MODES) {
  t.test(`a page is as wide as a narrow display, ${MODE}`, async t => {
    const computer = await Computer.start(t);
    const service = await Service.connect(t, computer);
    const site = await computer.serve(PAGE);
    const sizes = site.reports as [number, number][];
    const launch = launchOf({ start_url: 'http://localhost:8000/', kiosk });
    await service.run({ ...launch, display: { ...launch.display, width: 360, height: 640 } });

    const isWide = async (width: number, height: number) => {
      await until(`the page is ${width} wide`, () => {
        const [inner, laidOut] = sizes.at(-1) ?? [];
        return inner === width && laidOut === width;
      });
      await until('so is its picture', async () => {
        const picture = decode(Buffer.from(await (await computer.screenshot()).arrayBuffer()));
        if (picture.width !== width || picture.height !== height) return false;
        const row = (height - 20) * width;
        const at = (x: number) => [...picture.data.slice((row + x) * 3, (row + x) * 3 + 3)];
        return String([at(width - 5), at(width - 4), at(width - 1)]) === String([GREEN, RED, RED]);
      });
      t.pass(`${width} pixels, with its right edge`);
    };
    const resize = (width: number, height: number) =>
      service.send(toHelper.setDisplay.encode({ width, height, fps: 30, quality: 0, chroma: false }));

    await isWide(360, 640);
    resize(844, 390);
    await isWide(844, 390);
    resize(390, 844);
    await isWide(390, 844);
    resize(160, 300);
    await isWide(160, 300);
  });
}
