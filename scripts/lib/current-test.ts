/** What test files that share a process import in place of tap: the test of the file that is running. */
import root, { type Test } from 'tap';

export type { Test };

let current: Test = root;

export { current as default, root };

/** From now on, what a file imports as tap is this test. */
export function enter(test: Test): void {
  current = test;
}
