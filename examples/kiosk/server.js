/** A kiosk: one page in a browser without controls, and a fresh one for each visitor. */
import { berth, serve } from '../lib/example.js';

const MAX_PIXELS = 1920 * 1080;
const { START_URL = 'https://example.com', INACTIVE_SECONDS = '60', WARNING_SECONDS = '15' } = process.env;

const app = serve(new URL('.', import.meta.url).pathname);

app.post('/api/session', async (request, response) => {
  const { embed_url } = await berth.start({
    start_url: START_URL,
    kiosk: true,
    ...sizeFor(Number(request.query.width), Number(request.query.height)),
    timeout: { inactive: Number(INACTIVE_SECONDS), warning: Number(WARNING_SECONDS), offline: 30 },
  });
  response.json({ embedUrl: embed_url });
});

/** The screen's own size, made smaller where it has more pixels than a session may have. */
function sizeFor(width, height) {
  if (!(width >= 320 && height >= 320)) return {};
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (width * height)));
  return { width: Math.floor(width * scale), height: Math.floor(height * scale) };
}
