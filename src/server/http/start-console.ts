import { Router } from 'express';
import type { StartConsole } from '../../protocol/generated/schemas.js';
import type { RomConfig } from '../config.js';
import { refusal } from '../roms/request.js';
import type { Sessions } from '../sessions/index.js';
import { consoleOrder, consoleProblems } from '../sessions/kinds/console.js';
import type { Addresses } from './addresses.js';
import { readJson } from './body.js';
import { HttpError } from './errors.js';
import { requestValidator } from './validate.js';

const validate = requestValidator<StartConsole>('start-console.json', 'invalid_body', consoleProblems);

/** `POST /console` and `POST /v0/console`: starts a console. Its game is fetched after the answer. */
export function startConsole(sessions: Sessions, addresses: Addresses, roms: RomConfig): Router {
  return Router().post(['/console', '/v0/console'], ...readJson(() => ({})), async (request, response) => {
    const body = validate(request, request.body);
    const order = consoleOrder(body, roms.maxBytes);
    const reason = refusal(order.rom ?? '', roms.allowPrivate);
    if (reason !== null) {
      const path = body.room_url === undefined ? '/rom_url' : '/room_url';
      throw new HttpError('rom_refused', { details: [{ path, message: reason }] });
    }
    const { session, created } = await sessions.start(order);
    response.status(created ? 201 : 200).json(addresses.of(session, request));
  });
}
