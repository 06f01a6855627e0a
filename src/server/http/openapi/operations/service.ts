import { json, type Operation } from '../operation.js';

const TAG = 'Service';

const status = (value: string) => ({
  type: 'object',
  required: ['status'],
  properties: { status: { const: value } },
});

/** What operators and their tools ask. */
export const service: readonly Operation[] = [
  {
    method: 'get',
    path: '/healthz',
    id: 'readHealth',
    tag: TAG,
    summary: 'Whether the process lives',
    security: [],
    answers: { 200: json('It does.', status('ok'), { status: 'ok' }) },
    errors: [],
  },
  {
    method: 'get',
    path: '/readyz',
    id: 'readReadiness',
    tag: TAG,
    summary: 'Whether sessions can be started',
    security: [],
    answers: { 200: json('They can.', status('ready'), { status: 'ready' }) },
    errors: ['not_ready'],
  },
  {
    method: 'get',
    path: '/metrics',
    id: 'readMetrics',
    tag: TAG,
    summary: 'Metrics for Prometheus',
    description: 'Without an API key where `BERTH_METRICS_OPEN` is set.',
    security: ['apiKey'],
    answers: { 200: { description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } } },
    errors: ['unauthorized'],
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'readDescription',
    tag: TAG,
    summary: 'This description, OpenAPI 3.1',
    security: [],
    answers: { 200: json('The description.', { type: 'object' }) },
    errors: [],
  },
  {
    method: 'get',
    path: '/docs',
    id: 'readDocs',
    tag: TAG,
    summary: 'This description as a page',
    security: [],
    answers: { 200: { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } } },
    errors: [],
  },
];
