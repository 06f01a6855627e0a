import { networkInterfaces } from 'node:os';

/** The container's address in its network, IPv4 where it has one; undefined: it has none. */
export function ownAddress(interfaces = networkInterfaces()): string | undefined {
  const addresses = Object.values(interfaces).flatMap(each => each?.filter(({ internal }) => !internal) ?? []);
  const found = addresses.find(({ family }) => family === 'IPv4') ?? addresses.find(({ scopeid }) => scopeid === 0);
  return found?.address;
}
