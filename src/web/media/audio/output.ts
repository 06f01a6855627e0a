import { Schedule } from './schedule.js';

/** The output for decoded audio. */
export interface AudioOutput {
  /** Plays samples, one array per channel, and takes ownership of them. */
  play(channels: Float32Array<ArrayBuffer>[]): void;
  stop(): void;
}

/** Opens the best available output: an audio worklet, or else buffers scheduled one after the other. */
export async function openOutput(context: AudioContext, target: AudioNode, workletUrl: string): Promise<AudioOutput> {
  if (context.audioWorklet === undefined) return scheduledOutput(context, target);
  try {
    await context.audioWorklet.addModule(workletUrl);
    return workletOutput(context, target);
  } catch {
    // A strict content security policy of the embedding page, or a bundle without the worklet's file.
    return scheduledOutput(context, target);
  }
}

function workletOutput(context: AudioContext, target: AudioNode): AudioOutput {
  const node = new AudioWorkletNode(context, 'berth-audio', { numberOfInputs: 0, outputChannelCount: [2] });
  node.connect(target);
  return {
    play: channels =>
      node.port.postMessage(
        channels,
        channels.map(samples => samples.buffer),
      ),
    stop: () => {
      node.port.postMessage(null);
      node.disconnect();
    },
  };
}

function scheduledOutput(context: AudioContext, target: AudioNode): AudioOutput {
  const schedule = new Schedule();
  const playing = new Set<AudioBufferSourceNode>();
  return {
    play: channels => {
      const samples = channels[0]?.length ?? 0;
      if (samples === 0 || context.state !== 'running') return;
      const start = schedule.place(context.currentTime, samples / context.sampleRate);
      if (start === null) return;
      const buffer = context.createBuffer(channels.length, samples, context.sampleRate);
      for (const [channel, data] of channels.entries()) buffer.copyToChannel(data, channel);
      const node = new AudioBufferSourceNode(context, { buffer });
      node.connect(target);
      node.onended = () => playing.delete(node);
      playing.add(node);
      node.start(start);
    },
    stop: () => {
      for (const node of playing) node.disconnect();
      playing.clear();
    },
  };
}
