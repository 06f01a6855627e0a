import { setTimeout as sleep } from 'node:timers/promises';
import { SIGNED_APP, signedApk } from '../../test/fixtures/android/signed-apk.js';
import { shellError } from './docker.js';
import { type Result, skip } from '../lib/checks.js';
import type { Trial } from './trial.js';

const POLL_MS = 50;

/** Milliseconds without a frame after which a screen is still, and that this may take to happen. */
const STILL_MS = 1000;
const CALM_MS = 30_000;

/** Milliseconds that the device may take to answer input. */
const REACTION_MS = 5000;

/** Milliseconds that programs of the device may take to appear. */
const SHOW_MS = 20_000;

/** Without emoji, which Android leaves out when it describes the screen. */
const TEXT = 'Grüße 漢字';

const SCREEN = '/data/local/tmp/berth-screen.xml';

/** An app that no store has: only the opening of its page is checked. */
const ABSENT = 'org.berth.absent';

/** Draws a finger down the screen, which opens the list of notifications, and waits for another picture. */
export async function touches({ viewer }: Trial): Promise<string> {
  await calm();
  const [frames, begun] = [viewer.frames.length, performance.now()];
  const at = (y: number) => [{ id: 0, x: 0.5, y }];
  viewer.input({ type: 'touch', phase: 'start', points: at(0) });
  for (let step = 1; step <= 10; step++) {
    await sleep(16);
    viewer.input({ type: 'touch', phase: 'move', points: at(step / 15) });
  }
  viewer.input({ type: 'touch', phase: 'end', points: [] });
  await within(REACTION_MS, 'The picture did not change when a finger moved.', () => viewer.frames.length > frames);
  const ms = Math.round((viewer.frames[frames]?.at ?? 0) - begun);
  return `On a still screen a new picture came ${ms} ms after a finger.`;

  async function calm(): Promise<void> {
    const isStill = () => performance.now() - (viewer.last?.at ?? 0) > STILL_MS;
    await within(CALM_MS, 'The screen is never still, so that nothing can be said of touches.', isStill);
  }
}

/** Turns the device, in a program that turns with it. */
export async function rotates({ viewer, session, shell }: Trial): Promise<string> {
  await shell.run(['am', 'start', '-a', 'android.settings.SETTINGS']);
  const turned = () => {
    const { width = 0, height = 0 } = viewer.all('display').at(-1) ?? {};
    return width > height;
  };
  try {
    await called(session.call('android.rotate', 'landscape'));
    await within(SHOW_MS, 'The picture did not turn with the device.', turned);
  } finally {
    await session.call('android.rotate', 'portrait');
  }
  await within(SHOW_MS, 'The picture did not turn back with the device.', () => !turned());
  return 'The picture turned with the device, and back.';
}

/** Types into the search of the device's settings, and reads the screen. */
export async function types({ viewer, session, shell }: Trial): Promise<string> {
  const screen = async () => {
    await shell.run(['uiautomator', 'dump', SCREEN]);
    return (await shell.run(['cat', SCREEN])).text;
  };
  await shell.run(['am', 'start', '-a', 'android.settings.APP_SEARCH_SETTINGS']);
  try {
    const isField = async () => /<node[^>]*class="android\.widget\.EditText"[^>]*focused="true"/.test(await screen());
    await within(SHOW_MS, "The search of the device's settings has no field for text.", isField);
    viewer.input({ type: 'text', text: TEXT });
    await within(SHOW_MS, `The field for text does not show "${TEXT}".`, async () => (await screen()).includes(TEXT));
  } finally {
    await shell.run(['rm', '-f', SCREEN]);
    await session.call('android.key', 'home');
  }
  return `"${TEXT}" is on the device's screen as it was typed.`;
}

export async function installs({ session, shell }: Trial): Promise<string | Result> {
  let apk: Buffer;
  try {
    apk = await signedApk();
  } catch (error) {
    return skip(`No app could be made with Debian's tools: ${shellError(error)}`);
  }
  await called(session.call('android.install', await session.upload('test.apk', apk)));
  const { status } = await shell.run(['pm', 'path', SIGNED_APP]);
  if (status !== 0) throw new Error(`The app ${SIGNED_APP} is not there, though it was installed.`);
  await shell.run(['pm', 'uninstall', SIGNED_APP]);
  return `An app of ${apk.length} bytes was uploaded and installed.`;
}

export async function store({ session, device }: Trial): Promise<string | Result> {
  if (device?.store !== true) return skip('The device has no store.');
  await called(session.call('android.open', ABSENT));
  await session.call('android.key', 'home');
  return "The store takes an app's address.";
}

async function called(call: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await call;
  if (status >= 300) throw new Error(`The call was answered with ${status}: ${JSON.stringify(body)}`);
}

async function within(ms: number, problem: string, test: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + ms;
  while (!(await test())) {
    if (performance.now() > end) throw new Error(problem);
    await sleep(POLL_MS);
  }
}
