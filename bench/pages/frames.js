/**
 * Draws each frame with `paint(context, frame)` over the whole window, and on top, if `numbered`, its number in blocks
 * of colour. A typed number and Enter show that frame, which then stands still.
 */
function everyFrame(paint, numbered = true) {
  const view = document.body.appendChild(document.createElement('canvas'));
  const context = view.getContext('2d', { alpha: false });
  let frame = 0;
  let typed = '';
  let held = null;
  addEventListener('keydown', ({ key }) => {
    if (/^\d$/.test(key)) typed += key;
    else if (key === 'Enter') [held, typed] = [Number(typed), ''];
  });
  const draw = () => {
    requestAnimationFrame(draw);
    if (held === frame) return;
    frame = held ?? frame + 1;
    // The window gets its final size only after the page has been opened.
    if (view.width !== innerWidth) view.width = innerWidth;
    if (view.height !== innerHeight) view.height = innerHeight;
    paint(context, frame);
    if (!numbered) return;
    for (let bit = 0; bit < 17; bit++) {
      const one = bit < 16 ? (frame >> bit) & 1 : 1;
      context.fillStyle = one ? '#fff' : '#000';
      context.fillRect(bit * 32, 0, 32, 32);
    }
    context.fillStyle = '#000';
    context.fillRect(17 * 32, 0, 32, 32);
  };
  draw();
}

/** The offset of a picture twice the window's size in a frame, in pixels; `phase` distinguishes several pictures. */
const drift = ({ width, height }, frame, phaseX = 0, phaseY = phaseX) => [
  (-(1 + Math.sin(frame / 97 + phaseX)) / 2) * width,
  (-(1 + Math.cos(frame / 71 + phaseY)) / 2) * height,
];

/** A pseudo-random sequence, always the same. */
let seed = 1;
const random = below => (seed = (seed * 48271) % 2147483647) % below;
