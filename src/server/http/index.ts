export { createApp } from './app.js';
export { clientIp } from './listening/client-ip.js';
export { listen } from './listening/listen.js';
