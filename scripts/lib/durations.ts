/** The machine on which the figures below were measured. */
export const MEASURED_ON = '2 cores of a virtual machine, 24 GiB, Node.js 20';

/** Seconds that a whole phase or step of a test run usually takes, by its name. */
export const USUAL_SECONDS: Readonly<Record<string, number>> = {
  types: 2 * 60,
  lint: 4 * 60,
  unit: 6 * 60,
  long: 3 * 60,
  containers: 35 * 60,
  waiting: 12 * 60,
  'Kubernetes cluster': 3 * 60,
  cluster: 28 * 60,
  alone: 10 * 60,
};

/** A duration in words: `45 s`, `3 min 20 s`, `25 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const rest = whole % 60;
  return rest === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${rest} s`;
}
