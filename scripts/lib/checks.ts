/** The outcome of a check, and a sentence about it. */
export interface Result {
  readonly verdict: 'PASS' | 'FAIL' | 'SKIP';
  /** A sentence. */
  readonly words: string;
}

/** A check. */
export interface Check<Subject> {
  readonly name: string;
  /** Checks before it without which it cannot be tried. */
  readonly needs?: readonly string[];
  /** Throws if it fails; the error's message is the sentence. */
  run(subject: Subject): Promise<string | Result> | string | Result;
}

export const skip = (words: string): Result => ({ verdict: 'SKIP', words });

/**
 * Tries the checks in their order and prints a line for each. What needs a check that failed is not tried.
 * @returns whether none failed
 */
export async function runChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
  print: (line: string) => void,
): Promise<boolean> {
  /** The check at fault, by the names of those that failed or could not be tried. */
  const missing = new Map<string, string>();
  let passed = true;
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const check of checks) {
    const need = check.needs?.find(each => missing.has(each));
    const fault = need === undefined ? undefined : missing.get(need);
    const { verdict, words } =
      fault === undefined ? await resultOf(check, subject) : skip(`Not tried, since "${fault}" failed.`);
    if (verdict === 'FAIL') passed = false;
    if (verdict === 'FAIL' || fault !== undefined) missing.set(check.name, fault ?? check.name);
    print(`${verdict}  ${check.name.padEnd(width)}  ${words}`);
  }
  return passed;
}

async function resultOf<Subject>({ run }: Check<Subject>, subject: Subject): Promise<Result> {
  try {
    const done = await run(subject);
    return typeof done === 'string' ? { verdict: 'PASS', words: done } : done;
  } catch (error) {
    return { verdict: 'FAIL', words: error instanceof Error ? error.message : String(error) };
  }
}
