import type { Response } from 'express';
import { HttpError } from '../../model/index.js';
import type { StaticText } from '../context.js';
import { setCrossOrigin } from '../middleware/cross-origin.js';
import { json } from '../table/description.js';
import { operation } from '../table/operation.js';

const common = { method: 'get', tag: 'Service', audit: null } as const;

const status = (value: string) => ({
  type: 'object',
  required: ['status'],
  properties: { status: { const: value } },
});

const PROBLEM = {
  type: 'object',
  required: ['path', 'message'],
  properties: { path: { type: 'string' }, message: { type: 'string' } },
};

/** Answers 304 to clients that have this version of the text. */
const sendStatic = (response: Response, { bytes, etag }: StaticText) =>
  void response.set({ etag, 'cache-control': 'no-cache' }).send(bytes);

/** Operations for operators and their tools. */
export const service = [
  operation({
    ...common,
    path: '/healthz',
    id: 'readHealth',
    summary: 'Liveness check',
    credential: 'none',
    answers: { 200: json('The process is alive.', status('ok'), { status: 'ok' }) },
    errors: [],
    quiet: true,
    handle:
      () =>
      ({ response }) =>
        void response.json({ status: 'ok' }),
  }),
  operation({
    ...common,
    path: '/readyz',
    id: 'readReadiness',
    summary: 'Readiness check',
    credential: 'none',
    description:
      'Ready as soon as the store and each engine work, and from then on while the store does: viewers of running ' +
      'sessions go on without an engine. `details` names the parts that do not work.',
    answers: {
      200: json(
        'The service is ready.',
        {
          type: 'object',
          required: ['status'],
          properties: {
            status: { const: 'ready' },
            details: { type: 'array', items: PROBLEM },
          },
        },
        { status: 'ready' },
      ),
    },
    errors: ['not_ready'],
    quiet: true,
    handle:
      ({ health }) =>
      async ({ response }) => {
        const { isReady, failing } = await health.state();
        // Anybody may ask; the reason is only in the log.
        const details = failing.map(part => ({ path: `/${part}`, message: 'does not work' }));
        if (!isReady) throw new HttpError('not_ready', { details });
        response.json({ status: 'ready', ...(details.length === 0 ? {} : { details }) });
      },
  }),
  operation({
    ...common,
    path: '/metrics',
    id: 'readMetrics',
    summary: 'Metrics for Prometheus',
    description: 'Without an API key where `BERTH_METRICS_OPEN` is set.',
    credential: 'apiKey',
    open: ({ metricsOpen }) => metricsOpen,
    answers: { 200: { description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } } },
    errors: ['unauthorized'],
    quiet: true,
    handle:
      ({ health }) =>
      async ({ response }) => {
        const { contentType, text } = await health.metrics();
        response.type(contentType).send(text);
      },
  }),
  operation({
    ...common,
    path: '/openapi.json',
    id: 'readDescription',
    summary: 'This description, OpenAPI 3.1',
    credential: 'none',
    answers: { 200: json('The description.', { type: 'object' }) },
    errors: [],
    handle:
      ({ description }) =>
      ({ response }) => {
        setCrossOrigin(response);
        sendStatic(response.type('json'), description.document);
      },
  }),
  operation({
    ...common,
    path: '/docs',
    id: 'readDocs',
    summary: 'This description as a page',
    credential: 'none',
    answers: { 200: { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } } },
    errors: [],
    handle:
      ({ description }) =>
      ({ response }) =>
        sendStatic(response.type('html'), description.page),
  }),
];
