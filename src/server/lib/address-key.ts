import { ipKeyGenerator } from 'express-rate-limit';

/** The key by which limits count a caller: its IPv4 address, or the IPv6 network of one subscriber. */
export function addressKey(ip: string): string {
  return ipKeyGenerator(ip);
}
