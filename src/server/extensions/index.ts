export { ExtensionError } from './check.js';
export { inspectExtension } from './inspect.js';
export { sendExtension } from './send.js';
