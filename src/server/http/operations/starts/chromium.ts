import type { StartChromium } from '../../../../protocol/generated/schemas.js';
import { areaProblems, chromiumSpec } from '../../../model/index.js';
import { isMultipart, readMultipart, type Multipart } from '../../bodies/multipart.js';
import { readJson } from '../../bodies/json.js';
import { requestValidator } from '../../bodies/validate.js';
import type { Body } from '../../table/body.js';
import { operation } from '../../table/operation.js';
import { answerStart, start } from './common.js';
import { extensionOf } from './extension.js';
import { checkWebhooks } from './webhook-addresses.js';

const EXAMPLE = {
  start_url: 'https://example.com',
  width: 1280,
  height: 720,
  fps: 30,
  timeout: {
    absolute: 7200,
    inactive: 900,
    webhook: { url: 'https://backend.example.com/timeouts', bearer: 'a-secret' },
  },
  tenant_id: 'customer-17',
};

const SCHEMA = 'start-chromium.json';
const validate = requestValidator<StartChromium>(SCHEMA, 'invalid_body', areaProblems);

/** JSON, or the parts of a multipart request with an extension. */
const body: Body<{ wanted: StartChromium; files: Multipart['files'] }> = {
  description:
    'With `extension`, as parts: `body` with the JSON, and the archive in the part that `extension.field` names.',
  required: false,
  lenient: true,
  content: {
    'application/json': { schema: SCHEMA, example: EXAMPLE },
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['body'],
        properties: {
          body: { type: 'string', contentMediaType: 'application/json', description: 'The fields above.' },
        },
        additionalProperties: { type: 'string', contentMediaType: 'application/zip' },
      },
    },
  },
  async read(request, response) {
    const { body, files } = isMultipart(request)
      ? await readMultipart(request)
      : { body: await readJson(request, response, () => ({})), files: new Map<string, Buffer>() };
    return { wanted: validate(request, body), files };
  },
};

/** Starting Chromium sessions. */
export const chromiumStarts = [
  operation({
    ...start(['bad_request', 'extension_invalid', 'extension_unsupported']),
    path: '/v0/vm',
    id: 'startChromium',
    summary: 'Start a Chromium session',
    description:
      'Answers when the session runs. An empty body, or none, is valid. A custom extension comes as multipart/form-data: ' +
      'the JSON in the part `body`, the archive (`.zip` or `.crx`, at most 1 MiB) in the part that `extension.field` names.',
    body,
    handle:
      parts =>
      async ({ body: { wanted, files }, ...exchange }) => {
        await checkWebhooks(wanted, parts.webhooks);
        const extension = await extensionOf(wanted, files);
        const started = await parts.sessions.start(chromiumSpec(wanted, extension, parts.httpProxy));
        answerStart(started, parts, exchange);
      },
  }),
];
