import { ipKeyGenerator } from 'express-rate-limit';

/** What limits count a caller by: its IPv4 address, or the IPv6 network that one subscriber has. */
export function addressKey(ip: string): string {
  return ipKeyGenerator(ip);
}
