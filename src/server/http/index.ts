export { createApp } from './app.js';
export { clientIp } from './client-ip.js';
export { listen } from './listen.js';
