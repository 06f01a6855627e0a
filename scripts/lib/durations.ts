/** The machine on which the figures below were measured. */
export const MEASURED_ON = '2 cores of a virtual machine, 24 GiB, Node.js 20';

/** Seconds that a whole phase or step of a test run usually takes, by its name. */
export const USUAL_SECONDS: Readonly<Record<string, number>> = {
  types: 50,
  lint: 2 * 60,
  unit: 95,
  'fuzz and load': 2 * 60,
  containers: 14 * 60,
  browser: 6 * 60,
  waiting: 9 * 60,
  'Kubernetes cluster': 90,
  kubernetes: 18 * 60,
  measuring: 10 * 60,
};

/** Seconds that test files take, about, of those that take more than a minute beside others. */
export const SLOW_FILES: Readonly<Record<string, number>> = {
  'test/load/viewers.test.ts': 120,
  'test/load/unread.test.ts': 60,
  'test/containers/agent/preparation.test.ts': 90,
  'test/containers/service/check-games.test.ts': 100,
  'test/containers/service/warm-pool.test.ts': 80,
  'test/containers/service/sandbox.test.ts': 75,
  'test/containers/service/console-programs.test.ts': 70,
  'test/containers/service/gpu.test.ts': 65,
  'test/containers/profiles/saving.test.ts': 210,
  'test/containers/profiles/console-saving.test.ts': 150,
  'test/containers/service/egress.test.ts': 140,
  'test/containers/service/android.test.ts': 140,
  'test/containers/service/agent-killed-console.test.ts': 130,
  'test/containers/agent/console.test.ts': 120,
  'test/containers/service/unanswered.test.ts': 120,
  'test/containers/service/console-roms.test.ts': 110,
  'test/containers/service/outage.test.ts': 85,
  'test/containers/images/packages.test.ts': 65,
  'test/containers/service/faults.test.ts': 60,
  'test/containers/service/timeouts.test.ts': 60,
  'test/containers/service/console-crash.test.ts': 60,
  'test/browser/examples.test.ts': 80,
  'test/browser/console-pads.test.ts': 60,
};

/** Files in the order in which they are to begin, so that those beside each other end together. */
export function longestFirst(files: readonly string[]): string[] {
  // Unit tests that take longer than others are last in the alphabet.
  return [...files].reverse().sort((a, b) => (SLOW_FILES[b] ?? 0) - (SLOW_FILES[a] ?? 0));
}

/** A duration in words: `45 s`, `3 min 20 s`, `25 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const rest = whole % 60;
  return rest === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${rest} s`;
}
