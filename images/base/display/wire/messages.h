/* Generated from src/protocol/display-helper.ts by `npm run generate`; docs/reference/protocol.md explains them. */
#pragma once

/** First byte of every message. */
enum message_type {
  MESSAGE_VIDEO = 0x01,
  MESSAGE_AUDIO = 0x02,
  MESSAGE_CURSOR = 0x03,
  MESSAGE_PATCH = 0x04,
  MESSAGE_COPIED = 0x06,
  MESSAGE_DISPLAY = 0x08,
  MESSAGE_CLIPBOARD = 0x09,
  MESSAGE_WINDOWS = 0x0a,
  MESSAGE_SHOT = 0x0b,
  MESSAGE_SCROLL = 0x0c,
  MESSAGE_ENCODER = 0x0d,
  MESSAGE_LAYERS = 0x0e,
  MESSAGE_TARGET = 0x0f,
  MESSAGE_MOVE = 0x10,
  MESSAGE_BUTTON = 0x11,
  MESSAGE_WHEEL = 0x12,
  MESSAGE_KEY = 0x13,
  MESSAGE_TEXT = 0x14,
  MESSAGE_RELEASE = 0x16,
  MESSAGE_PHYSICAL_KEY = 0x18,
  MESSAGE_CONTENT = 0x19,
  MESSAGE_KEYFRAME = 0x30,
  MESSAGE_RATE = 0x31,
  MESSAGE_STREAM = 0x32,
  MESSAGE_SET_DISPLAY = 0x33,
  MESSAGE_SCREENSHOT = 0x34,
  MESSAGE_TURN = 0x35,
  MESSAGE_SMALL_LAYER = 0x36,
  MESSAGE_SMALL_KEYFRAME = 0x37,
  MESSAGE_FIND_TARGET = 0x38,
};

/** Bytes of type and fields; in some messages a body follows. */
enum {
  VIDEO_BYTES = 14,
  AUDIO_BYTES = 14,
  CURSOR_BYTES = 10,
  PATCH_BYTES = 13,
  COPIED_BYTES = 10,
  DISPLAY_BYTES = 8,
  CLIPBOARD_BYTES = 1,
  WINDOWS_BYTES = 3,
  SHOT_BYTES = 7,
  SCROLL_BYTES = 9,
  ENCODER_BYTES = 2,
  LAYERS_BYTES = 2,
  TARGET_BYTES = 2,
  MOVE_BYTES = 5,
  BUTTON_BYTES = 7,
  WHEEL_BYTES = 9,
  KEY_BYTES = 6,
  TEXT_BYTES = 1,
  RELEASE_BYTES = 1,
  PHYSICAL_KEY_BYTES = 7,
  CONTENT_BYTES = 9,
  KEYFRAME_BYTES = 1,
  RATE_BYTES = 5,
  STREAM_BYTES = 3,
  SET_DISPLAY_BYTES = 8,
  SCREENSHOT_BYTES = 3,
  TURN_BYTES = 5,
  SMALL_LAYER_BYTES = 6,
  SMALL_KEYFRAME_BYTES = 1,
  FIND_TARGET_BYTES = 5,
};

/** Before each message: the number of bytes that follow, and that of the viewer. */
enum {
  LENGTH_BYTES = 4,
  USER_BYTES = 4,
};

/** Bits of the flags of a video message. */
enum {
  VIDEO_KEY = 1,
  VIDEO_REFINEMENT = 2,
  VIDEO_SMALL = 4,
};

enum quality {
  QUALITY_SHARP = 0,
  QUALITY_SMOOTH = 1,
  QUALITY_BLOCKY = 2,
};

/** Largest bodies. */
enum {
  CLIPBOARD_MAX_BYTES = 1048576,
  PICTURE_MAX_BYTES = 10485760,
  CONTENT_MAX_BYTES = 12582912,
  TEXT_MAX_BYTES = 4096,
  PATCH_MAX_BYTES = 8192,
};
