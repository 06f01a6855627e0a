/** The machine on which the figures below were measured. */
export const MEASURED_ON = '2 cores of a virtual machine, 24 GiB, Node.js 20';

/** Seconds that a whole phase or step of a test run usually takes, by its name. */
export const USUAL_SECONDS: Readonly<Record<string, number>> = {
  types: 50,
  lint: 2 * 60,
  unit: 5 * 60,
  long: 2 * 60,
  containers: 20 * 60,
  waiting: 7 * 60,
  'Kubernetes cluster': 90,
  cluster: 23 * 60,
  alone: 11 * 60,
};

/** A duration in words: `45 s`, `3 min 20 s`, `25 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const rest = whole % 60;
  return rest === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${rest} s`;
}
