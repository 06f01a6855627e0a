import type { StartStep } from '../../protocol/generated/schemas.js';

/** Describes a step of the start to viewers. */
export const STEPS: Readonly<Record<StartStep, string>> = {
  emulator: 'The emulator is starting.',
  connect: 'Connecting to the device.',
  boot: 'The device is booting.',
  clean: 'The device is being made ready.',
  app: 'The app is being installed and opened.',
  picture: 'Waiting for the first picture.',
};
