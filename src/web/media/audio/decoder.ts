import { opusDuration } from './opus.js';

/** Decodes Opus packets to samples at 48 kHz. */
export interface AudioPacketDecoder {
  decode(packet: Uint8Array): void;
  stop(): void;
}

export type Samples = (channels: Float32Array<ArrayBuffer>[]) => void;

const CONFIG: AudioDecoderConfig = { codec: 'opus', sampleRate: 48_000, numberOfChannels: 2 };

/**
 * Opens the browser's own decoder, or else one in WebAssembly, a module at `wasmUrl`. `failed` is called if it fails
 * later.
 */
export async function openDecoder(samples: Samples, failed: () => void, wasmUrl: string): Promise<AudioPacketDecoder> {
  if ('AudioDecoder' in globalThis && (await AudioDecoder.isConfigSupported(CONFIG)).supported === true) {
    return webCodecsDecoder(samples, failed);
  }
  return wasmDecoder(samples, wasmUrl);
}

function webCodecsDecoder(samples: Samples, failed: () => void): AudioPacketDecoder {
  let timestamp = 0;
  const decoder = new AudioDecoder({
    output: data => {
      samples(planesOf(data));
      data.close();
    },
    error: failed,
  });
  decoder.configure(CONFIG);
  return {
    decode: packet => {
      if (decoder.state !== 'configured') return;
      const duration = opusDuration(packet);
      decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp, duration, data: packet }));
      timestamp += duration;
    },
    stop: () => {
      if (decoder.state !== 'closed') decoder.close();
    },
  };
}

function planesOf(data: AudioData): Float32Array<ArrayBuffer>[] {
  return Array.from({ length: Math.min(2, data.numberOfChannels) }, (_, planeIndex) => {
    const plane = new Float32Array(data.numberOfFrames);
    data.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
}

async function wasmDecoder(samples: Samples, url: string): Promise<AudioPacketDecoder> {
  // Kept out of bundles: it is loaded only when needed.
  const { OpusDecoder } = (await import(
    /* @vite-ignore */ /* webpackIgnore: true */ url
  )) as typeof import('opus-decoder');
  const decoder = new OpusDecoder({ channels: 2, streamCount: 1, coupledStreamCount: 1 });
  await decoder.ready;
  return {
    decode: packet => {
      const { channelData, samplesDecoded } = decoder.decodeFrame(packet);
      if (samplesDecoded > 0) samples(channelData.map(channel => channel.slice(0, samplesDecoded)));
    },
    stop: () => decoder.free(),
  };
}
