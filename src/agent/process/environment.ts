const INHERITED = ['PATH', 'HOME', 'TZ', 'LD_LIBRARY_PATH'];

/** Where the X server and PulseAudio are found. */
export const DISPLAY = ':0';
export const PULSE_SERVER = 'unix:/run/berth/pulse.sock';

/**
 * The environment of the programs in the container: an allowlist, so that the agent's own variables, above all the link
 * secret, are not inherited.
 */
export function childEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  const inherited = INHERITED.flatMap(name => (own[name] === undefined ? [] : [[name, own[name]] as const]));
  return {
    HOME: '/home/berth',
    LANG: 'C.UTF-8',
    ...Object.fromEntries(inherited),
    DISPLAY,
    PULSE_SERVER,
    XDG_RUNTIME_DIR: '/run/berth',
  };
}
