/** State of the whole process, which a test file must not change for those that run after it. */
export interface ProcessState {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly globals: ReadonlySet<string>;
  readonly folder: string;
}

/** Set by the AWS SDK in each process that loads it. */
const GLOBALS_OF_PACKAGES = ['awslambda'];

/** The state of this process. */
export const processState = (): ProcessState => ({
  env: { ...process.env },
  globals: new Set([...Object.getOwnPropertyNames(globalThis), ...GLOBALS_OF_PACKAGES]),
  folder: process.cwd(),
});

/** The names of what has changed: environment variables, globals, the working directory. */
export function changes(before: ProcessState, after: ProcessState): string[] {
  const variables = Object.keys({ ...before.env, ...after.env }).filter(name => before.env[name] !== after.env[name]);
  const globals = [...after.globals].filter(name => !before.globals.has(name));
  return [
    ...variables.map(name => `process.env.${name}`),
    ...globals.map(name => `globalThis.${name}`),
    ...(before.folder === after.folder ? [] : ['the working directory']),
  ];
}
