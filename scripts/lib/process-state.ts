/** What belongs to a process as a whole, so that a test file that changes it changes what runs after it. */
export interface ProcessState {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly globals: ReadonlySet<string>;
  readonly folder: string;
}

/** The AWS SDK's, of each process that loads it. */
const GLOBALS_OF_PACKAGES = ['awslambda'];

/** That of this process. */
export const processState = (): ProcessState => ({
  env: { ...process.env },
  globals: new Set([...Object.getOwnPropertyNames(globalThis), ...GLOBALS_OF_PACKAGES]),
  folder: process.cwd(),
});

/** What is other than it was, by name: variables of the environment, globals, the working directory. */
export function changes(before: ProcessState, after: ProcessState): string[] {
  const variables = Object.keys({ ...before.env, ...after.env }).filter(name => before.env[name] !== after.env[name]);
  const globals = [...after.globals].filter(name => !before.globals.has(name));
  return [
    ...variables.map(name => `process.env.${name}`),
    ...globals.map(name => `globalThis.${name}`),
    ...(before.folder === after.folder ? [] : ['the working directory']),
  ];
}
