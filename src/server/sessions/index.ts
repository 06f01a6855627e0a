export { ResetHook } from './devices/hook.js';
export { ProfileSaver } from './profile/profile-saver.js';
export { endingOf } from './recovery/crash.js';
export { isOurs, ownersOf } from './recovery/ownership.js';
export { Sessions } from './sessions.js';
export { timeoutEvent } from './timeouts/events.js';
