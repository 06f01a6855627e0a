import { createHash } from 'node:crypto';
import type { AdbDevice } from '../../config/index.js';
import {
  answers,
  BURST_S,
  type Egress,
  flowLimits,
  inChain,
  type Rules,
  type RuleSet,
} from '../packet-filter/rules.js';
import type { Names } from './names.js';

/**
 * Hardware address of the container whose session has this device. The rules know the container by it: it cannot be
 * changed inside, where there are no capabilities.
 */
export function macOf({ host, port }: AdbDevice): string {
  const bytes = createHash('sha256').update(`${host}:${port}`).digest().subarray(0, 5);
  return ['02', ...[...bytes].map(byte => byte.toString(16).padStart(2, '0'))].join(':');
}

/** By the destination before any translation: a device may be behind a port that the host publishes. */
const towards = ({ host, port }: AdbDevice) =>
  `-p tcp -m conntrack --ctorigdst ${host}/32 --ctorigdstport ${port} -j ACCEPT`;

/**
 * Rules for the network of pool devices: each container reaches its own device by a limited number of flows, and
 * nothing else.
 */
export function deviceRules(
  names: Names,
  devices: readonly AdbDevice[],
  { connections, connectionRate }: Pick<Egress, 'connections' | 'connectionRate'>,
): Rules {
  const { bridge, forwardChain, inputChain } = names.devices;
  const limits = flowLimits(connections, connectionRate, `${bridge}-${connectionRate}-${BURST_S}`);
  const own = devices.map(device => `-m mac --mac-source ${macOf(device)} ${towards(device)}`);
  return {
    ipv4: {
      chains: [
        ...inChain(forwardChain, [answers, `-o ${bridge} -j DROP`, ...limits, ...own, '-j DROP']),
        ...inChain(inputChain, [answers, ...limits, ...own, '-j DROP']),
      ],
      hooks: [
        { chain: 'DOCKER-USER', rule: `-i ${bridge} -j ${forwardChain}` },
        { chain: 'DOCKER-USER', rule: `-o ${bridge} ${answers}` },
        { chain: 'INPUT', rule: `-i ${bridge} -j ${inputChain}` },
      ],
    },
    ipv6: {
      chains: [...inChain(forwardChain, ['-j DROP']), ...inChain(inputChain, ['-j DROP'])],
      hooks: [
        { chain: 'FORWARD', rule: `-i ${bridge} -j ${forwardChain}` },
        { chain: 'FORWARD', rule: `-o ${bridge} -j ${forwardChain}` },
        { chain: 'INPUT', rule: `-i ${bridge} -j ${inputChain}` },
      ],
    },
  };
}

/** Rules that keep all other sessions from devices, whatever else they may reach. */
export const awayFrom = (devices: readonly AdbDevice[]): string[] =>
  [...new Set(devices.map(({ host }) => host))].map(host => `-m conntrack --ctorigdst ${host}/32 -j DROP`);

const join = (a: RuleSet, b: RuleSet): RuleSet => ({
  chains: [...a.chains, ...b.chains],
  hooks: [...a.hooks, ...b.hooks],
});

/** The rules of two networks, as one. */
export const both = (a: Rules, b: Rules): Rules => ({ ipv4: join(a.ipv4, b.ipv4), ipv6: join(a.ipv6, b.ipv6) });
