export { ExtensionError } from './errors.js';
export { inspectExtension } from './inspect.js';
export { sendExtension } from './send.js';
