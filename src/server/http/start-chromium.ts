import { Router, type RequestHandler } from 'express';
import type { HttpProxy, StartChromium } from '../../protocol/generated/schemas.js';
import type { Sessions } from '../sessions/index.js';
import { areaProblems, chromiumOrder } from '../model/index.js';
import type { WebhookSender } from '../webhooks/index.js';
import type { Addresses } from './addresses.js';
import { jsonBody } from './body.js';
import { extensionOf } from './extension.js';
import { isMultipart, readMultipart } from './multipart.js';
import { answerStart } from './start-answer.js';
import { requestValidator } from './validate.js';
import { checkWebhooks } from './webhook-addresses.js';

const validate = requestValidator<StartChromium>('start-chromium.json', 'invalid_body', areaProblems);

const readJson = Router().use(...jsonBody);

/** Reads JSON, or the parts of a request that brings an extension along. */
const readBody: RequestHandler = async (request, response, next) => {
  if (!isMultipart(request)) return readJson(request, response, next);
  const { body, files } = await readMultipart(request);
  request.body = body;
  response.locals['files'] = files;
  next();
};

/** `POST /v0/vm`: starts a Chromium session; `httpProxy` is that of sessions that name none. */
export function startChromium(
  sessions: Sessions,
  addresses: Addresses,
  webhooks: WebhookSender,
  httpProxy: HttpProxy | null,
): Router {
  return Router().post('/v0/vm', readBody, async (request, response) => {
    const body = validate(request, request.body);
    await checkWebhooks(body, webhooks);
    const files = response.locals['files'] as ReadonlyMap<string, Buffer> | undefined;
    const extension = await extensionOf(body, files ?? new Map());
    const started = await sessions.start(chromiumOrder(body, extension, httpProxy));
    answerStart(request, response, started, { sessions, addresses });
  });
}
