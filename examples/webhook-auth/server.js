/** An integrator's server that decides who may join: the service asks it about everybody who tries. */
import { randomUUID } from 'node:crypto';
import { address, berth, serve } from '../lib/example.js';

const ACCOUNTS = {
  Ada: { code: '1815', answer: { permissions: { control_disabled: false } } },
  Bob: { code: '1234', answer: { permissions: { control_disabled: true }, roles: ['clipboard_copy'] } },
};

/** Known to the service and this server only, so that nobody else can ask the webhook. */
const bearer = randomUUID();
/** Where the service reaches this server. */
const { WEBHOOK_URL = `${address}/webhook` } = process.env;

const app = serve(new URL('.', import.meta.url).pathname);

app.get('/api/session', async (request, response) => {
  const { embed_url } = await berth.start({
    start_url: process.env.START_URL ?? 'https://example.com',
    tag: `webhook-auth-${bearer}`,
    auth: { type: 'webhook', value: { url: WEBHOOK_URL, bearer } },
    timeout: { offline: 60 },
  });
  // The address alone lets nobody in.
  response.json({ embedUrl: embed_url });
});

app.post('/webhook', (request, response) => {
  if (request.get('authorization') !== `Bearer ${bearer}`) return response.sendStatus(401);
  const { user_id, userdata } = request.body;
  const account = Object.hasOwn(ACCOUNTS, userdata?.name) ? ACCOUNTS[userdata.name] : undefined;
  const authorized = account !== undefined && account.code === userdata.code;
  console.log(`${user_id} from ${request.get('svc-connection-ip')}: ${authorized ? userdata.name : 'refused'}`);
  response.json(authorized ? { authorized, ...account.answer } : { authorized });
});
