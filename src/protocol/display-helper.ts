/**
 * The messages between the agent and the display helper, which is written in C: `npm run generate` generates its headers
 * in images/base/display/wire from them. Viewers receive and send most of them too. docs/reference/protocol.md
 * describes them.
 */
import { MessageType } from './message-type.js';
import { bool, i16, Message, Struct, u16, u32, u64, u8 } from './struct.js';

/** What is before each message of the helper and of the link: the viewer that it came from, 0 for none. */
export const envelope = new Struct({ user: u32 });
export const USER_BYTES = envelope.bytes;

/** What is before that between agent and helper: how many bytes follow. */
export const framing = new Struct({ length: u32 });

const place = { x: u16, y: u16 };
const bounds = { x: i16, y: i16, width: u16, height: u16 };
const display = { width: u16, height: u16, fps: u8, quality: u8, chroma: bool };

/** Messages from the helper. */
export const fromHelper = {
  video: new Message(MessageType.video, { flags: u8, frame: u32, time: u64 }, 'H.264 access unit'),
  audio: new Message(MessageType.audio, { flags: u8, sequence: u32, time: u64 }, 'Opus packet'),
  cursor: new Message(
    MessageType.cursor,
    { visible: bool, hotX: u16, hotY: u16, width: u16, height: u16 },
    'RGBA rows',
  ),
  patch: new Message(
    MessageType.patch,
    { frame: u32, x: u16, y: u16, width: u16, height: u16 },
    'runs of equal pixels: count LEB128, red, green, blue',
  ),
  display: new Message(MessageType.display, display),
  clipboard: new Message(MessageType.clipboard, {}, 'UTF-8'),
  windows: new Message(MessageType.windows, { count: u16 }),
  shot: new Message(MessageType.shot, { width: u16, height: u16, top: u16 }, 'RGB rows'),
  encoder: new Message(MessageType.encoder, { hardware: bool }, 'UTF-8'),
  scroll: new Message(MessageType.scroll, { dx: i16, dy: i16, ...place }),
  layers: new Message(MessageType.layers, { count: u8 }),
  target: new Message(MessageType.target, { focused: bool }),
  copied: new Message(
    MessageType.copied,
    { incomplete: bool, textSize: u32, htmlSize: u32 },
    'UTF-8 text, UTF-8 HTML, PNG',
  ),
  window: new Message(
    MessageType.window,
    { count: u8, index: u8, id: u32, kind: u8, active: bool, ...bounds },
    'UTF-8 title',
  ),
};

/** The kinds of windows, by their codes in `window` messages. */
export const WINDOW_KINDS = ['browser', 'popup', 'dialog', 'other'] as const;

/** Most windows of which the helper tells, and the longest title, in bytes of UTF-8. */
export const WINDOWS_MAX = 64;
export const WINDOW_TITLE_MAX_BYTES = 256;

/** Messages to the helper. */
export const toHelper = {
  clipboard: fromHelper.clipboard,
  content: new Message(MessageType.content, { textSize: u32, htmlSize: u32 }, 'UTF-8 text, UTF-8 HTML, PNG'),
  move: new Message(MessageType.move, place),
  button: new Message(MessageType.button, { button: u8, down: bool, ...place }),
  wheel: new Message(MessageType.wheel, { dx: i16, dy: i16, ...place }),
  key: new Message(MessageType.key, { down: bool, keysym: u32 }),
  physicalKey: new Message(MessageType.physicalKey, { down: bool, keysym: u32, code: u8 }),
  text: new Message(MessageType.text, {}, 'UTF-8'),
  release: new Message(MessageType.release, {}),
  keyframe: new Message(MessageType.keyframe, {}),
  rate: new Message(MessageType.rate, { kbps: u32 }),
  stream: new Message(MessageType.stream, { video: bool, audio: bool }),
  setDisplay: new Message(MessageType.setDisplay, display),
  screenshot: new Message(MessageType.screenshot, { width: u16 }),
  turn: new Message(MessageType.turn, { dx: i16, dy: i16 }),
  smallLayer: new Message(MessageType.smallLayer, { on: bool, kbps: u32 }),
  smallKeyframe: new Message(MessageType.smallKeyframe, {}),
  findTarget: new Message(MessageType.findTarget, place),
  activateWindow: new Message(MessageType.activateWindow, { id: u32 }),
  closeWindow: new Message(MessageType.closeWindow, { id: u32 }),
  placeWindow: new Message(MessageType.placeWindow, { id: u32, ...bounds }),
};
