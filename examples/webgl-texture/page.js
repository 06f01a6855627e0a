import Berth from '/sdk.js';
import { Cube } from '/cube.js';

const cube = new Cube(document.getElementById('stage'));
const { embedUrl } = await (await fetch('/api/session')).json();

// The container stays hidden: with frameCb the SDK draws nothing, and the keyboard works all the same.
await Berth(document.getElementById('computer'), embedUrl, {
  timeout: 10_000,
  frameCb: frame => cube.texture(frame),
  onDisconnect: () => (document.getElementById('sentence').textContent = 'The session is over.'),
});

requestAnimationFrame(function turn(now) {
  cube.draw(now / 2500);
  requestAnimationFrame(turn);
});
