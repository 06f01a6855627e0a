import { escapeArg } from '@yume-chan/adb';
import type { Shell } from '../../../../adb/shell.js';
import { each, listed, matches, type ResetStep } from './step.js';

/** Android's programs for adb have no way to remove one: whoever signs in leaves it. */
export const accounts = listed({
  name: 'accounts',
  list: async shell => matches(await shell.ask(['dumpsys', 'account']), /Account \{(name=.*, type=\S+)\}/g),
});

const CERTIFICATES = '/data/misc/user/0/cacerts-added';

/** Certificates of authorities that a viewer added; adb can remove them only where it is root. */
export const certificates = listed({
  name: 'certificates of authorities',
  list: async shell =>
    (await shell.ask(['sh', '-c', `ls -A ${CERTIFICATES} 2>/dev/null || true`])).split('\n').filter(it => it !== ''),
  async remove(shell, names) {
    await each(
      shell,
      names.map(name => `rm -f ${escapeArg(`${CERTIFICATES}/${name}`)} 2>&1`),
    );
  },
});

/** A PIN or pattern, which only who set it can remove. */
export const screenLock = listed({
  name: 'screen lock',
  list: async shell =>
    /didn't match|does not match|incorrect/i.test(await each(shell, ['locksettings verify 2>&1'])) ? ['is set'] : [],
});

/** Network interfaces of VPNs. */
export const vpn = listed({
  name: 'VPN',
  list: async shell =>
    matches(await each(shell, ['ls /sys/class/net 2>/dev/null']), /\b((?:tun|tap|ppp|ipsec|wg)\d+)\b/g),
});

interface Process {
  readonly label: string;
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
}

/** What adbd starts; SELinux keeps a process from pretending to be something else. */
const OF_ADB = /^u:r:(shell|su):/;

/** Processes that adb has started, but for the one that asks and those it comes from and starts. */
async function strays(shell: Shell): Promise<Process[]> {
  const told = await shell.ask(['sh', '-c', 'echo "self $$"; ps -A -o LABEL=,PID=,PPID=,NAME=']);
  const all = told.split('\n').flatMap((line): Process[] => {
    const [, label = '', pid, parent, name = ''] = /^\s*(\S+)\s+(\d+)\s+(\d+)\s+(.*\S)\s*$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ label, pid: Number(pid), parent: Number(parent), name }];
  });
  const byPid = new Map(all.map(process => [process.pid, process]));
  const self = Number(/^self (\d+)$/m.exec(told)?.[1]);
  const own = new Set<number>();
  for (let at = byPid.get(self); at !== undefined && !own.has(at.pid); at = byPid.get(at.parent)) own.add(at.pid);
  const isOfSelf = (process: Process, depth = 0): boolean => {
    const parent = byPid.get(process.parent);
    return process.parent === self || (depth < 8 && parent !== undefined && isOfSelf(parent, depth + 1));
  };
  return all.filter(it => OF_ADB.test(it.label) && !own.has(it.pid) && !isOfSelf(it));
}

/**
 * Processes left in a shell: on devices that need no key any app can start one by adb. Of those that the system starts
 * again, such as a console, only so many may be there as before.
 */
export const processes = listed({
  name: 'processes of adb',
  isTransient: true,
  async list(shell) {
    const counts = new Map<string, number>();
    return (await strays(shell)).map(({ name }) => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return `${name} ${count}`;
    });
  },
  async remove(shell) {
    await each(
      shell,
      (await strays(shell)).map(({ pid }) => `kill -9 ${pid} 2>&1`),
    );
  },
});

const BUFFERS = ['main', 'system', 'crash', 'events', 'radio'];

/** What the device's log had before it was emptied: its oldest line tells. */
export const logs: ResetStep = {
  name: 'logs',
  note: async () => [],
  async clear(shell) {
    const told = await each(shell, [
      'echo "now $(date +%s)"',
      ...BUFFERS.map(buffer => `logcat -b ${buffer} -c >/dev/null 2>&1`),
      ...BUFFERS.map(it => `echo "${it} $(logcat -b ${it} -d -v epoch 2>/dev/null | grep -m 1 '^ *[0-9]')"`),
    ]);
    const now = Number(/^now (\d+)$/m.exec(told)?.[1]);
    if (!Number.isInteger(now)) return ['the device does not tell its time'];
    return BUFFERS.filter(buffer => {
      const [, seconds] = new RegExp(`^${buffer} +(\\d+)`, 'm').exec(told) ?? [];
      return seconds !== undefined && Number(seconds) < now;
    });
  },
};
