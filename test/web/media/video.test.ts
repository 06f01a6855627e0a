import t from 'tap';
import { FlowControl, MAX_LAG_MS, MAX_START_MS } from '../../../src/web/media/video/flow-control.js';
import { pictureSize } from '../../../src/web/media/video/pipeline.js';
import { catchUp, Timeline } from '../../../src/web/media/video/timeline.js';
import { fitSize } from '../../../src/web/player/page/fit.js';

t.test('a decoder that keeps up is never overloaded', async t => {
  const flow = new FlowControl();
  for (let frame = 0; frame < 100; frame++) {
    flow.submitted(frame, frame * 16);
    t.notOk(flow.overloaded(frame * 16));
    flow.decoded(frame);
  }
  t.equal(flow.lag(2000), 0);
});

t.test('a decoder that falls behind is given up on after 200 ms, at its start after 2 s', async t => {
  const flow = new FlowControl();
  for (let frame = 0; frame < 10; frame++) flow.submitted(frame, frame);
  t.notOk(flow.overloaded(MAX_START_MS - 1), 'hardware may need time at first');
  t.ok(flow.overloaded(MAX_START_MS + 1));
  flow.decoded(0);
  t.ok(flow.overloaded(MAX_LAG_MS + 2));
  flow.decoded(8);
  t.notOk(flow.overloaded(MAX_LAG_MS + 100), 'one late frame is not worth a key frame');
  flow.reset();
  t.equal(flow.lag(10_000), 0);
});

t.test('a decoder that swallows a frame is stalled', async t => {
  const flow = new FlowControl();
  flow.submitted(1, 0);
  t.notOk(flow.stalled(MAX_START_MS));
  t.ok(flow.stalled(MAX_START_MS + 1));
});

t.test('a picture is cropped to an odd display, but not to a display of another size', async t => {
  t.same(pictureSize({ width: 1282, height: 722 }, { width: 1281, height: 721 }), { width: 1281, height: 721 });
  t.same(pictureSize({ width: 1280, height: 720 }, { width: 1920, height: 1080 }), { width: 1280, height: 720 });
  t.same(pictureSize({ width: 1280, height: 720 }, null), { width: 1280, height: 720 });
});

t.test('frames follow each other on the media timeline without gaps; a pause takes no time', async t => {
  const line = new Timeline();
  let end = 0;
  for (const time of [0, 33_000, 66_000, 60_000_000, 60_033_000]) {
    const { start, duration } = line.append(time);
    t.equal(start, end);
    t.ok(duration >= 1 / 121 && duration <= 1 / 23);
    end = start + duration;
  }
  t.equal(line.end, end);
});

t.test('an element that lags plays faster, or seeks', async t => {
  t.same(catchUp(1, 0.04), { rate: 1 });
  t.same(catchUp(4, 0.1), { rate: 1.25 });
  t.same(catchUp(20, 0.5), { rate: 2 });
  t.equal(catchUp(60, 2), 'jump');
});

t.test('a display that fills a window stays within its maximum area, with even sides', async t => {
  t.same(fitSize({ width: 1281, height: 721 }, 1920 * 1080), { width: 1280, height: 720 });
  const { width, height } = fitSize({ width: 3840, height: 2160 }, 1920 * 1080);
  t.ok(width * height <= 1920 * 1080 && width > 1900, `${width}x${height}`);
  t.same(fitSize({ width: 50, height: 5000 }, 1920 * 1080).width, 160);
});
