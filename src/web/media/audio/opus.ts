const SILK_MS = [10, 20, 40, 60];
const HYBRID_MS = [10, 20];
const CELT_MS = [2.5, 5, 10, 20];

/** How long an Opus packet sounds, in microseconds (RFC 6716, 3.1). */
export function opusDuration(packet: Uint8Array): number {
  const head = packet[0] ?? 0;
  const config = head >> 3;
  const frame = config < 12 ? SILK_MS[config % 4] : config < 16 ? HYBRID_MS[config % 2] : CELT_MS[config % 4];
  const code = head & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 1) & 63;
  return (frame ?? 0) * frames * 1000;
}
