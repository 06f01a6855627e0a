export { createApp } from './app.js';
export { clientIp } from './client-ip.js';
export { listen } from './listen.js';
export { EventFeed } from './event-feed.js';
