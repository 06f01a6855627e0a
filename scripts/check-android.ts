/**
 * Tries on this machine what Android sessions need, by a session of a service of its own that is gone afterwards, and
 * says for each part whether it works. Takes the settings that the service takes; see docs/how-to/android.md.
 */
import { Scope } from '../bench/lib/scope.js';
import { checks } from './check-android/checks.js';
import { runChecks } from './lib/checks.js';
import { Trial } from './check-android/trial.js';
import { configOrExit } from './lib/service.js';

const config = configOrExit();
const scope = new Scope();
let closing: Promise<void> | undefined;
const close = () => (closing ??= scope.close());
const interrupt = () => void close().then(() => process.exit(130));
process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
const passed = await runChecks(checks, new Trial(config, scope), line => {
  if (closing === undefined) console.log(line);
});
await close();
process.exit(passed ? 0 : 1);
