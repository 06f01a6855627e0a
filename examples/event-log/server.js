/** A receiver of the events of a session: it verifies each, takes it once, and shows all on its page. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { address, berth, serve } from '../lib/example.js';

/** Where the service reaches this server. */
const { WEBHOOK_URL = `${address}/webhook` } = process.env;
/** The service signs with it, so that nobody else can tell events. A real receiver keeps it. */
const key = randomBytes(32);
/** Age of a request, seconds, beyond which it may be one that somebody has recorded. */
const AGE_MAX = 300;

/** What has happened, and the pages that want to know; a real receiver keeps events, or what follows from them. */
const events = new Map();
const pages = new Set();

const app = serve(new URL('.', import.meta.url).pathname);

app.post('/webhook', (request, response) => {
  if (!isSigned(request)) return response.sendStatus(401);
  const event = request.body;
  // It may come again where an answer was lost. The events of a session come in order.
  if (!events.has(event.id)) {
    events.set(event.id, event);
    console.log(`${event.date} ${event.session_id} ${event.event}`);
    for (const page of pages) tell(page, event);
  }
  response.sendStatus(204);
});

/** Whether the service has sent a request, unchanged and lately, according to Standard Webhooks. */
function isSigned(request) {
  const [id, time, signatures = ''] = ['id', 'timestamp', 'signature'].map(name => request.get(`webhook-${name}`));
  if (Math.abs(Date.now() / 1000 - Number(time)) > AGE_MAX) return false;
  const expected = createHmac('sha256', key).update(`${id}.${time}.${request.text}`).digest();
  return signatures.split(' ').some(signature => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

app.post('/api/session', async (request, response) => {
  const { session_id, embed_url } = await berth.start({
    start_url: process.env.START_URL ?? 'https://example.com',
    events: { webhook: { url: WEBHOOK_URL, secret: `whsec_${key.toString('base64')}` } },
    timeout: { offline: 60 },
  });
  response.json({ sessionId: session_id, embedUrl: embed_url });
});

app.delete('/api/session/:id', async (request, response) => {
  await berth.end(request.params.id);
  response.sendStatus(204);
});

app.get('/api/events', (request, response) => {
  response.set({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders();
  for (const event of events.values()) tell(response, event);
  pages.add(response);
  response.once('close', () => pages.delete(response));
});

const tell = (page, event) => page.write(`data: ${JSON.stringify(event)}\n\n`);
