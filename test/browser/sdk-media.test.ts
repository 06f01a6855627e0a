// tags: containers, alone
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { embed, type Embedding } from '../fixtures/pages/embedding-page.js';
import { median } from '../fixtures/median.js';
import { until } from '../fixtures/until.js';

declare const embedding: Embedding;

/** What the page keeps of the frames it was given. */
interface Frames extends Window {
  kinds: Set<string>;
  sizes: string[];
  shown: { number: number; at: number }[];
  kept: VideoFrame | ImageBitmap;
  pixel: number[];
}
declare const frames: Frames;

const browser = await openBrowser(t, { webgl: true });

for (const [kind, name] of [
  ['secure', 'VideoFrame'],
  ['plain', 'ImageBitmap'],
] as const) {
  t.test(`a ${kind} page gets each frame as a ${name}, usable as a WebGL texture`, async t => {
    const [session, page] = await embed(t, browser, kind);
    const mounted = await page.evaluate(() => {
      const gl = new OffscreenCanvas(640, 360).getContext('webgl2');
      if (gl === null) throw new Error('this browser has no WebGL');
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
      Object.assign(window, { frames: window, kinds: new Set(), sizes: [], pixel: [] });
      return embedding.mount({
        frameCb: frame => {
          frames.kinds.add(frame.constructor.name);
          frames.sizes.push(
            'displayWidth' in frame ? `${frame.displayWidth}x${frame.displayHeight}` : `${frame.width}x${frame.height}`,
          );
          frames.kept = frame;
          gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, frame);
          const pixel = new Uint8Array(4);
          gl.readPixels(358, 108, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
          frames.pixel = [...pixel];
        },
      });
    });
    t.equal(mounted, 'mounted');
    await session.shown(await session.play('wide', 20));
    const isYellow = async () => {
      const [red = 0, green = 0, blue = 255] = await page.evaluate(() => frames.pixel);
      return red > 200 && green > 200 && blue < 70;
    };
    await until('the yellow bar is in the texture', isYellow);
    t.same(await page.evaluate(() => [...frames.kinds]), [name]);
    t.equal(
      await page.evaluate(
        () => document.querySelector('#here')?.shadowRoot?.querySelector('.stage')?.childElementCount,
      ),
      0,
    );

    session.send({ type: 'display', width: 321, height: 241, fps: 30, max_area: 2073600 });
    await session.play('small', 10);
    await until('frames come without the padding', () => page.evaluate(() => frames.sizes.includes('321x241')));
    const closed = () =>
      page.evaluate(() => ('codedWidth' in frames.kept ? frames.kept.codedWidth : frames.kept.width) === 0);
    t.ok(await until('a frame is closed after the call', closed));
  });
}

t.test('an error in the page’s callback does not stop the frames', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => {
    let count = 0;
    return embedding.mount({
      frameCb: () => {
        document.title = String(++count);
        throw new Error('the page’s own mistake');
      },
    });
  });
  // Of frames that come faster than a busy machine takes them some are left out.
  await session.playOneByOne('wide', 10);
  t.ok(Number(await page.title()) >= 10, 'each of them');
});

t.test('the sound becomes a track, which volume affects, and is not also played', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => {
    const connect = AudioNode.prototype.connect as (this: AudioNode, ...args: unknown[]) => AudioNode;
    const speakers: string[] = [];
    (AudioNode.prototype as { connect: unknown }).connect = function (this: AudioNode, ...args: unknown[]) {
      if (args[0] instanceof AudioDestinationNode) speakers.push(this.constructor.name);
      return connect.apply(this, args);
    };
    const context = new AudioContext();
    const analyser = new AnalyserNode(context, { fftSize: 8192, smoothingTimeConstant: 0 });
    const levels = new Float32Array(analyser.frequencyBinCount);
    const heard = () => {
      analyser.getFloatFrequencyData(levels);
      const loudest = levels.reduce((best, level, i) => (level > (levels[best] ?? -Infinity) ? i : best), 0);
      return (levels[loudest] ?? -Infinity) < -60 ? 0 : (loudest * context.sampleRate) / 8192;
    };
    Object.assign(window, { speakers, heard, tracks: [] as MediaStreamTrack[] });
    return embedding.mount({
      audioTrackCb: track => {
        (window as unknown as { tracks: MediaStreamTrack[] }).tracks.push(track);
        new MediaStreamAudioSourceNode(context, { mediaStream: new MediaStream([track]) }).connect(analyser);
      },
    });
  });
  const heard = () => page.evaluate(() => (window as unknown as { heard(): number }).heard());
  await session.whileToneIsPlayed(async () => {
    await until('a tone of 440 Hz is in the track', async () => Math.abs((await heard()) - 440) < 25);
    t.same(
      await page.evaluate(() => (window as unknown as { speakers: string[] }).speakers),
      [],
      'nothing goes to the speakers',
    );
    await page.evaluate(() => (embedding.session.volume = 0));
    await until('the track is silent', async () => (await heard()) === 0);
  });
  await page.evaluate(() => embedding.session.destroy());
  const states = await page.evaluate(() =>
    (window as unknown as { tracks: MediaStreamTrack[] }).tracks.map(track => track.readyState),
  );
  t.same(states, ['ended'], 'one track, which ends with the session');
});

t.test('playoutDelay delays the picture, but not the service’s measure of the network', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => {
    Object.assign(window, { frames: window, shown: [] });
    // A frame's time stamp is its number.
    const frameCb = (frame: object) =>
      void frames.shown.push({ number: (frame as VideoFrame).timestamp / 1000, at: Date.now() });
    return embedding.mount({ playoutDelay: 600, frameCb });
  });
  await session.shown(await session.play('wide', 1));
  const delays: number[] = [];
  const acknowledged: number[] = [];
  while (delays.length < 5) {
    const sent = Date.now();
    const [number = 0] = await session.play('wide', 1);
    await session.shown([number]);
    acknowledged.push(Date.now() - sent);
    const at = await until('it is shown', () =>
      page.evaluate(number => frames.shown.find(each => each.number >= number)?.at, number),
    );
    delays.push(at - sent);
  }
  t.ok(
    delays.every(delay => delay >= 590),
    `none is shown before its time: ${delays.join(', ')} ms`,
  );
  t.ok(median(acknowledged) < 590, `they are acknowledged before: ${acknowledged.join(', ')} ms`);
});

t.test('a plain page crops the padding of an odd display', async t => {
  const [session, page] = await embed(t, browser, 'plain');
  await page.evaluate(() => embedding.mount());
  session.send({ type: 'display', width: 321, height: 241, fps: 30, max_area: 2073600 });
  await session.shown(await session.play('small', 10));
  const seen = await page.evaluate(() => {
    const host = document.querySelector('#here') as HTMLElement;
    const video = host.shadowRoot?.querySelector('video') as HTMLVideoElement;
    const { width, height } = video.getBoundingClientRect();
    const [, right = 0, bottom = 0] = [...video.style.clipPath.matchAll(/([\d.]+)(?:px)?/g)].map(([, number]) =>
      Number(number),
    );
    return { scale: width / video.videoWidth, width: width - right, height: height - bottom, box: host.clientHeight };
  });
  t.ok(
    Math.abs(seen.width - 321 * seen.scale) < 0.01 && Math.abs(seen.height - 241 * seen.scale) < 0.01,
    JSON.stringify(seen),
  );
  t.ok(Math.abs(seen.height - seen.box) < 0.01, 'what is left fills the height');
});
