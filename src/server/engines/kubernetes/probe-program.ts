/** Exit statuses of probes. */
export const STATUS = {
  ok: 0,
  reached: 3,
  unreached: 4,
  late: 5,
  noSandbox: 6,
  /** The canary was reached, but no name server answered. */
  nameless: 7,
  /** All that must be closed is, and so are the name servers. */
  noNames: 8,
} as const;

/** What a Pod is to find. */
export interface Expectation {
  /** Address of the canary, `host:port`. */
  canary: string;
  /** Whether it must be reached, as by a Pod that nothing closes; otherwise it must not be. */
  isOpen: boolean;
  /** Whether name servers must answer. A Pod that nothing closes only tells. */
  names: boolean;
}

/**
 * A shell command that connects to the canary for some seconds. One that must reach it ends as soon as it has; one that
 * must not ends by whether it never did, did to the end, or did at first only. Then it asks for the address of the API
 * server, a name that only the cluster has, so that nothing leaves it: whatever is answered, a name server was reached.
 */
export function asking({ canary, isOpen, names }: Expectation): string {
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
    if (${isOpen} && tries[i]) process.exit(await named(2) ? ${STATUS.ok} : ${STATUS.nameless});
    await new Promise(done => setTimeout(done, 250));
  }
  if (${isOpen}) process.exit(${STATUS.unreached});
  if (tries.pop()) process.exit(${STATUS.reached});
  if (tries.includes(true)) process.exit(${STATUS.late});
  process.exit(${names} && !(await named(5)) ? ${STATUS.noNames} : ${STATUS.ok});
})();`;
  return `exec node -e '${program.replaceAll("'", "'\\''")}'`;
}
