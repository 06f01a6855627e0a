/** First byte of every binary message; layouts in docs/reference/protocol.md. */
export const MessageType = {
  video: 0x01,
  audio: 0x02,
  cursor: 0x03,
  patch: 0x04,
  copy: 0x05,
  copied: 0x06,
  window: 0x07,
  display: 0x08,
  clipboard: 0x09,
  windows: 0x0a,
  shot: 0x0b,
  scroll: 0x0c,
  encoder: 0x0d,
  layers: 0x0e,
  target: 0x0f,
  move: 0x10,
  button: 0x11,
  wheel: 0x12,
  key: 0x13,
  text: 0x14,
  touch: 0x15,
  release: 0x16,
  pad: 0x17,
  physicalKey: 0x18,
  content: 0x19,
  ack: 0x20,
  ping: 0x21,
  pong: 0x22,
  refresh: 0x23,
  keyframe: 0x30,
  rate: 0x31,
  stream: 0x32,
  setDisplay: 0x33,
  screenshot: 0x34,
  turn: 0x35,
  smallLayer: 0x36,
  smallKeyframe: 0x37,
  findTarget: 0x38,
  activateWindow: 0x39,
  closeWindow: 0x3a,
  placeWindow: 0x3b,
} as const;

export type MessageType = (typeof MessageType)[keyof typeof MessageType];

/** Bits of the flags byte of a video message. `small`: a frame of the small layer. */
export const VideoFlag = { key: 1, refinement: 2, small: 4 } as const;

/** Largest runs of a patch, bytes. */
export const PATCH_MAX_BYTES = 8 << 10;

/** Largest clipboard text, and largest HTML, in bytes of UTF-8. */
export const CLIPBOARD_MAX_BYTES = 1 << 20;

/** Largest picture of the clipboard, in bytes of PNG: a screen of photographs, but a second of a slow path at most. */
export const PICTURE_MAX_BYTES = 10 << 20;

/** Largest content of the clipboard: text, HTML and picture. */
export const CONTENT_MAX_BYTES = 2 * CLIPBOARD_MAX_BYTES + PICTURE_MAX_BYTES;

/** Largest form with such a content, bytes: what is around its parts needs little. */
export const CONTENT_FORM_MAX_BYTES = CONTENT_MAX_BYTES + (16 << 10);

/**
 * Largest clipboard text of an Android session, in bytes of UTF-8: a control message of scrcpy has 256 KiB, of which
 * the text gets what 14 bytes of header leave.
 */
export const ANDROID_CLIPBOARD_MAX_BYTES = (256 << 10) - 14;

/** Largest text message, in bytes of UTF-8. */
export const TEXT_MAX_BYTES = 4096;

/** Port of the agent inside a session's container. */
export const AGENT_PORT = 7000;

/** Path of the agent's link endpoint. */
export const LINK_PATH = '/link';

/**
 * Version of the messages to viewers, told in the address of their stream (`v`); absent: 1. From 2 on, `pointers` come in
 * the place of single `pointer` messages; from 3 on, the welcome says whether keys may come with their place.
 */
export const VIEWER_VERSION = 3;

/** Codes with which the service closes a viewer's socket. */
export const CloseCode = { ended: 4000, kicked: 4001, protocol: 4002, silent: 4003, unauthorized: 4401 } as const;

export const QUALITY_CODES = { sharp: 0, smooth: 1, blocky: 2 } as const;
export type Quality = keyof typeof QUALITY_CODES;
