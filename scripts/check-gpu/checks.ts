import { opens } from '../check-android/machine.js';
import { type Check, type Result, skip } from '../lib/checks.js';
import { picture, processorTime, sessionEncoder, webgl } from './session.js';
import type { GpuTrial } from './trial.js';

/** The checks, in their order. */
export const checks: readonly Check<GpuTrial>[] = [
  { name: 'render node', run: renderNode },
  { name: 'image', needs: ['render node'], run: image },
  { name: 'group', needs: ['image'], run: group },
  { name: 'VA-API', needs: ['group'], run: trial => encodes(trial, 'h264_vaapi') },
  { name: 'NVENC', needs: ['group'], run: trial => encodes(trial, 'h264_nvenc') },
  { name: 'test frame', needs: ['group'], run: testFrame },
  { name: 'decoded', needs: ['test frame'], run: decoded },
  { name: 'encoder', needs: ['decoded'], run: sessionEncoder },
  { name: 'picture', needs: ['group'], run: picture },
  { name: 'WebGL', needs: ['group'], run: webgl },
  { name: 'processor time', needs: ['encoder', 'picture'], run: processorTime },
];

function renderNode({ config }: GpuTrial): string {
  if (config.gpu === null) throw new Error(config.gpuMissing ?? 'BERTH_GPU is off.');
  return `${config.gpu.device} is there.`;
}

/** Whether the image was built for a card. */
async function image(trial: GpuTrial): Promise<string> {
  const { status, output } = await trial.run('test', '-x', trial.encoder).catch((error: unknown) => {
    throw new Error(`The image ${trial.image} cannot be run: ${(error as Error).message}`);
  });
  if (status === 0) return `${trial.image} has the encoder for graphics cards.`;
  throw new Error(
    output.trim() === ''
      ? `${trial.image} has no encoder for graphics cards: build the images with BERTH_GPU set.`
      : `The image ${trial.image} cannot be run with the card: ${output.trim()}`,
  );
}

function group({ image, node, config, instance }: GpuTrial): Promise<string> {
  return opens({ image, device: node, group: config.gpu?.group ?? null, container: `${instance}-node` });
}

/** Encodes and decodes a frame with one of the encoders; a machine seldom has both. */
async function encodes(trial: GpuTrial, name: string): Promise<string | Result> {
  const { output } = await trial.run(trial.encoder, '--try', name);
  const lines = output.trim().split('\n');
  const encoded = lines.find(line => line.startsWith('encoded: '));
  if (encoded === undefined) return skip(`${lines.at(-1) || `${name} says nothing`}.`);
  trial.tried.set(name, { encoded, decoded: lines.find(line => line.includes('decoded: ')) ?? 'not decoded: nothing' });
  return `${name} works.`;
}

function testFrame({ tried }: GpuTrial): string {
  const [first] = tried;
  if (first === undefined) throw new Error('No encoder makes a frame: sessions are encoded in software.');
  return `${first[0]} made a frame: ${first[1].encoded.replace('encoded: ', '')}.`;
}

function decoded({ tried }: GpuTrial): string {
  const GOOD_DB = 30;
  const words = [...tried.values()][0]?.decoded ?? '';
  const likeness = Number(/^decoded: ([\d.]+) dB$/.exec(words)?.[1] ?? NaN);
  if (likeness >= GOOD_DB) return `Decoded, it is like the picture: ${likeness} dB.`;
  throw new Error(
    Number.isNaN(likeness) ? `It was ${words}.` : `Decoded, it is unlike the picture: ${likeness} dB of ${GOOD_DB}.`,
  );
}
