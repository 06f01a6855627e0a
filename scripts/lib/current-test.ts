/** What test files that share a process import instead of tap: the test of the running file. */
import root, { type Test } from 'tap';

export type { Test };

let current: Test = root;

export { current as default, root };

/** Makes this test what files import as tap. */
export function enter(test: Test): void {
  current = test;
}
