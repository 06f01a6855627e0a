import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The volume that virtual devices are kept on. */
export const AVD_FOLDER = '/avd';

/** Name of the session's virtual device. */
export const AVD = 'berth';

/** Properties of a virtual device: pixels, dots per inch, MiB. */
export interface AvdOptions {
  /** Folder of the system image below that of the SDK: system-images/LEVEL/TAG/ABI/. */
  readonly image: string;
  readonly width: number;
  readonly height: number;
  readonly density: number;
  readonly memoryMb: number;
  readonly cpus: number;
  readonly diskMb: number;
}

/** The virtual device's configuration as the emulator reads it, one setting a line. */
export function avdConfig({ image, width, height, density, memoryMb, cpus, diskMb }: AvdOptions): string {
  const [, , tag = '', abi = ''] = image.split('/');
  const settings = {
    AvdId: AVD,
    'PlayStore.enabled': tag.includes('playstore') ? 'yes' : 'no',
    'abi.type': abi,
    'avd.ini.encoding': 'UTF-8',
    'disk.dataPartition.size': `${diskMb}M`,
    'fastboot.forceColdBoot': 'yes',
    'hw.audioInput': 'no',
    'hw.camera.back': 'none',
    'hw.camera.front': 'none',
    'hw.cpu.arch': abi.split('-')[0],
    'hw.cpu.ncore': cpus,
    'hw.gps': 'yes',
    'hw.gpu.enabled': 'yes',
    'hw.gpu.mode': 'swiftshader_indirect',
    'hw.initialOrientation': width > height ? 'landscape' : 'portrait',
    'hw.keyboard': 'yes',
    'hw.lcd.density': density,
    'hw.lcd.height': height,
    'hw.lcd.width': width,
    'hw.mainKeys': 'no',
    'hw.ramSize': memoryMb,
    'hw.sdCard': 'no',
    'image.sysdir.1': image,
    showDeviceFrame: 'no',
    'tag.id': tag,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Writes the settings of the virtual device; its data, where there are any, stay. */
export async function writeAvd(options: AvdOptions, folder = AVD_FOLDER): Promise<void> {
  const path = join(folder, `${AVD}.avd`);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'config.ini'), avdConfig(options));
  const [, target = ''] = options.image.split('/');
  await writeFile(join(folder, `${AVD}.ini`), `avd.ini.encoding=UTF-8\npath=${path}\ntarget=${target}\n`);
}
