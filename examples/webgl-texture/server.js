/** A session as a texture: all of it happens in the page. */
import { berth, serve } from '../lib/example.js';

const app = serve(new URL('.', import.meta.url).pathname);

app.get('/api/session', async (request, response) => {
  const { embed_url } = await berth.start({
    start_url: process.env.START_URL ?? 'https://example.com',
    tag: `webgl-texture-${process.pid}`,
    kiosk: true,
    width: 720,
    height: 720,
    timeout: { offline: 60 },
  });
  response.json({ embedUrl: embed_url });
});
