import { Router } from 'express';
import type { StartConsole } from '../../protocol/generated/schemas.js';
import type { RomConfig } from '../config/index.js';
import type { Outbound } from '../outbound/index.js';
import { romRefusal } from '../games/index.js';
import type { Sessions } from '../sessions/index.js';
import { consoleOrder, consoleProblems, HttpError } from '../model/index.js';
import type { WebhookSender } from '../webhooks/index.js';
import type { Addresses } from './addresses.js';
import { readJson } from './body.js';
import { answerStart } from './start-answer.js';
import { requestValidator } from './validate.js';
import { checkWebhooks } from './webhook-addresses.js';

const validate = requestValidator<StartConsole>('start-console.json', 'invalid_body', consoleProblems);

/** `POST /console` and `POST /v0/console`: starts a console. Its game is fetched after the answer. */
export function startConsole(
  sessions: Sessions,
  addresses: Addresses,
  { roms, outbound, webhooks }: { roms: RomConfig; outbound: Outbound; webhooks: WebhookSender },
): Router {
  return Router().post(['/console', '/v0/console'], ...readJson(() => ({})), async (request, response) => {
    const body = validate(request, request.body);
    await checkWebhooks(body, webhooks);
    const order = consoleOrder(body, roms.maxBytes);
    const reason = order.rom === null ? null : await outbound.refusal(order.rom, roms.allowPrivate);
    if (reason !== null) {
      const path = body.room_url === undefined ? '/rom_url' : '/room_url';
      throw new HttpError('rom_refused', { details: [{ path, message: romRefusal(reason) }] });
    }
    answerStart(request, response, await sessions.start(order), { sessions, addresses });
  });
}
