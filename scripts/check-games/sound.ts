import { OpusDecoder } from 'opus-decoder';

const HEADER_BYTES = 14;
const RATE = 48_000;

/** The loudest sample in a viewer's audio messages, 0 to 1. */
export async function peakOf(messages: readonly Buffer[]): Promise<number> {
  const decoder = new OpusDecoder({ sampleRate: RATE, channels: 2 });
  await decoder.ready;
  try {
    let peak = 0;
    for (const message of messages) {
      const { channelData } = decoder.decodeFrame(message.subarray(HEADER_BYTES));
      for (const channel of channelData) for (const sample of channel) peak = Math.max(peak, Math.abs(sample));
    }
    return Math.min(1, peak);
  } finally {
    decoder.free();
  }
}
