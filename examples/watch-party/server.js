/** A watch party: everybody sees one browser, one person has control and can pass it on. */
import { randomUUID } from 'node:crypto';
import { SessionClient } from 'berth/client';
import { berth, serve } from '../lib/example.js';

/** The people at the party by their keys, which only they know. */
const people = new Map();
/** The key of the person in control; null while nobody is. */
let controller = null;
let session;

const app = serve(new URL('.', import.meta.url).pathname);

app.post('/api/enter', async (request, response) => {
  // With a tag, the party's session is started once, and again only when it has ended.
  const started = await berth.start({
    start_url: process.env.START_URL ?? 'https://example.com',
    tag: `watch-party-${process.pid}`,
    control_disable_default: true,
    default_roles: ['control', 'cursor_data'],
    timeout: { offline: 60 },
  });
  session = new SessionClient(started.embed_url, started.admin_token);
  const key = randomUUID();
  people.set(key, {
    number: people.size + 1,
    name: String(request.body.name).slice(0, 20),
    userId: null,
    stream: null,
  });
  response.json({ key, embedUrl: started.embed_url });
});

app.post('/api/connected', async (request, response) => {
  const person = people.get(request.body.key);
  if (!person) return response.sendStatus(403);
  person.userId = String(request.body.userId);
  if (request.body.key === controller) await allow(person, true);
  response.json({});
});

/** Who is there, as server-sent events; whoever closes the page has left. */
app.get('/api/people', (request, response) => {
  const { key } = request.query;
  const person = people.get(key);
  if (!person) return response.sendStatus(403);
  person.stream = response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  request.on('close', () => {
    people.delete(key);
    if (controller === key) controller = null;
    tellEverybody();
  });
  tellEverybody();
});

/** The person in control passes it on, or gives it back (`to` is null); while nobody has it, anybody may take it. */
app.post('/api/control', async (request, response) => {
  const { key, to } = request.body;
  const mayDecide = controller === key || (controller === null && people.get(key)?.number === to);
  if (!mayDecide) return response.sendStatus(403);
  const before = people.get(controller);
  const [next = null] = [...people].find(([, person]) => person.number === to) ?? [];
  if (before) await allow(before, false);
  if (next) await allow(people.get(next), true);
  controller = next;
  tellEverybody();
  response.json({});
});

const allow = (person, control) => session.setPermissions(person.userId, { control_disabled: !control });

function tellEverybody() {
  for (const [mine, { stream }] of people) {
    const list = [...people].map(([key, { number, name }]) => ({
      number,
      name,
      controls: key === controller,
      isYou: key === mine,
    }));
    stream?.write(`data: ${JSON.stringify(list)}\n\n`);
  }
}
