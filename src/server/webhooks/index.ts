export { Outbox } from './outbox.js';
export { WebhookSender } from './send.js';
