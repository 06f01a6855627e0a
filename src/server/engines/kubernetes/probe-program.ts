/** Exit statuses of probe Pods. */
export const STATUS = {
  ok: 0,
  reached: 3,
  unreached: 4,
  late: 5,
  noSandbox: 6,
  /** The canary was reached as expected, but no name server answered. */
  okWithoutNames: 7,
  /** The canary was not reached, as expected, but no name server answered either. */
  noNames: 8,
} as const;

/** The result that a probe expects. */
export interface Expectation {
  /** Address of the canary, `host:port`. */
  canary: string;
  /** Whether the canary must be reached, as by a Pod without restrictions; otherwise it must not be. */
  isOpen: boolean;
  /** Whether name servers must answer. A Pod without restrictions only reports whether they do. */
  names: boolean;
}

/**
 * A shell command that tries to connect to the canary for some seconds. If the canary must be reached, the first
 * success ends it; otherwise its exit status tells whether the canary was never reached, still at the end, or only at
 * first. Then it looks up the name of the API server, which exists only in the cluster, so that no query leaves it. Any
 * answer proves that a name server was reached.
 */
export function probeCommand({ canary, isOpen, names }: Expectation): string {
  const program = `
const { Resolver } = require('dns');
const { readFileSync } = require('fs');
const { hostname, port } = new URL('tcp://${canary}');
const attempt = () => new Promise(done => {
  const socket = require('net').connect({ host: hostname.replace(/^\\[|\\]$/g, ''), port: Number(port) });
  const end = reached => { socket.destroy(); done(reached); };
  socket.on('connect', () => end(true)).on('error', () => end(false)).setTimeout(1000, () => end(false));
});
const domain = /^search\\s(?:.*\\s)?(svc\\.\\S+)/m.exec(readFileSync('/etc/resolv.conf', 'utf8'))?.[1] ?? 'svc.cluster.local';
const answered = () => new Promise(done => {
  new Resolver({ timeout: 1000, tries: 1 }).resolve4('kubernetes.default.' + domain, error =>
    done(!['ETIMEOUT', 'ECONNREFUSED'].includes(error?.code)));
});
const named = async tries => await answered() || (tries > 1 && named(tries - 1));
(async () => {
  const tries = [];
  for (let i = 0; i < ${isOpen ? 20 : 8}; i++) {
    tries.push(await attempt());
    if (${isOpen} && tries[i]) process.exit(await named(2) ? ${STATUS.ok} : ${STATUS.okWithoutNames});
    await new Promise(done => setTimeout(done, 250));
  }
  if (${isOpen}) process.exit(${STATUS.unreached});
  if (tries.pop()) process.exit(${STATUS.reached});
  if (tries.includes(true)) process.exit(${STATUS.late});
  process.exit(${names} && !(await named(5)) ? ${STATUS.noNames} : ${STATUS.ok});
})();`;
  return `exec node -e '${program.replaceAll("'", "'\\''")}'`;
}
