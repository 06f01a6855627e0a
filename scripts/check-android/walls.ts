import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { docker, hostAddress } from '../../test/fixtures/engines/docker.js';
import { type Result, skip } from '../lib/checks.js';
import type { Trial } from './trial.js';

const TRY_MS = 3000;
const MIB = 2 ** 20;

/** Tries from the session's container, and from an emulator's device, to reach this machine's private address. */
export async function egress({ config, container, isPool, shell }: Trial): Promise<string | Result> {
  if (config.egress.mode === 'open' && !isPool) return skip('BERTH_EGRESS=open: sessions reach private addresses.');
  let arrived = 0;
  const server = createServer(socket => {
    arrived++;
    socket.destroy();
  }).listen(0, '0.0.0.0');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const host = await hostAddress();
    const own = connect(port, host);
    await once(own, 'connect').catch(() => Promise.reject(new Error(`${host} cannot even be reached from here.`)));
    own.destroy();
    arrived = 0;
    const program = `require("net").connect(${port},"${host}").on("error",()=>0);setTimeout(()=>process.exit(),${TRY_MS})`;
    await docker('exec', container, 'node', '-e', program);
    if (!isPool) await shell.run(['sh', '-c', `echo | nc -w 3 ${host} ${port}`]).catch(() => undefined);
    if (arrived > 0) throw new Error(`A session reaches the private address ${host}.`);
    const who = isPool
      ? "The session's container does not reach"
      : "Neither the session's container nor its device reaches";
    return `${who} ${host}, a private address.`;
  } finally {
    server.close();
  }
}

/** Where control groups of version 2, and before that of version 1, report a container's memory. */
const COUNTS = [
  { peak: 'memory.peak', most: 'memory.max', events: 'memory.events' },
  { peak: 'memory.current', most: 'memory.max', events: 'memory.events' },
  {
    peak: 'memory/memory.max_usage_in_bytes',
    most: 'memory/memory.limit_in_bytes',
    events: 'memory/memory.oom_control',
  },
];

/** Reads the memory that the session's container uses, as its control group counts it. */
export async function memory({ container }: Trial): Promise<string> {
  const read = (name: string) => docker('exec', container, 'cat', `/sys/fs/cgroup/${name}`);
  for (const { peak, most, events } of COUNTS) {
    const texts = await Promise.all([read(peak), read(most), read(events)]).catch(() => null);
    if (texts === null) continue;
    const kills = Number(/^oom_kill (\d+)$/m.exec(texts[2])?.[1] ?? 0);
    if (kills > 0) throw new Error(`The session had too little memory: ${kills} of its processes were ended for that.`);
    const [taken, limit] = [texts[0], texts[1]].map(bytes => Math.round(Number(bytes) / MIB));
    return `The session took at most ${taken} of its ${limit} MiB.`;
  }
  throw new Error('The memory of the session cannot be read in its control group.');
}
