/**
 * Tries on this machine whether a graphics card encodes and renders sessions, by sessions of a service of its own that
 * are gone afterwards, and says for each part whether it works. Takes the settings that the service takes; without
 * BERTH_GPU it looks for a card. See docs/how-to/graphics-card.md.
 */
import { Scope } from '../bench/lib/scope.js';
import { checks } from './check-gpu/checks.js';
import { GpuTrial } from './check-gpu/trial.js';
import { runChecks } from './lib/checks.js';
import { configOrExit } from './lib/service.js';

process.env['BERTH_GPU'] ??= 'auto';
const config = configOrExit();
const scope = new Scope();
let closing: Promise<void> | undefined;
const close = () => (closing ??= scope.close());
const interrupt = () => void close().then(() => process.exit(130));
process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
const passed = await runChecks(checks, new GpuTrial(config, scope), line => {
  if (closing === undefined) console.log(line);
});
await close();
process.exit(passed ? 0 : 1);
