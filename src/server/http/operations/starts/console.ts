import type { StartConsole } from '../../../../protocol/generated/schemas.js';
import { romRefusal } from '../../../games/index.js';
import { consoleSpec, consoleProblems, HttpError } from '../../../model/index.js';
import { jsonBody } from '../../table/body.js';
import { operation } from '../../table/operation.js';
import { answerStart, start } from './common.js';
import { checkWebhooks } from './webhook-addresses.js';

const body = jsonBody<StartConsole>('start-console.json', {
  required: true,
  example: { type: 'nes', room_url: 'https://games.example.com/homebrew.nes' },
  more: consoleProblems,
});

const startConsole = (path: string, id: string, summary: string) =>
  operation({
    ...start(['rom_refused']),
    path,
    id,
    summary,
    description: 'Answers when the session runs; only then is its game fetched from `room_url`.',
    body,
    handle:
      parts =>
      async ({ body, ...exchange }) => {
        const { sessions, roms, outbound, webhooks } = parts;
        await checkWebhooks(body, webhooks);
        const spec = consoleSpec(body, roms.maxBytes);
        const reason = spec.rom === null ? null : await outbound.refusal(spec.rom, roms.allowPrivate);
        if (reason !== null) {
          const path = body.room_url === undefined ? '/rom_url' : '/room_url';
          throw new HttpError('rom_refused', { details: [{ path, message: romRefusal(reason) }] });
        }
        answerStart(await sessions.start(spec), parts, exchange);
      },
  });

/** Starting consoles. */
export const consoleStarts = [
  startConsole('/console', 'startConsole', 'Start a console'),
  startConsole('/v0/console', 'startConsoleV0', 'Start a console (alias)'),
];
