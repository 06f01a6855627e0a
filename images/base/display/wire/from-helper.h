/* Generated from src/protocol/display-helper.ts by `npm run generate`; docs/reference/protocol.md explains them. */
#pragma once
#include "wire/messages.h"
#include "wire/wire.h"

struct video_message {
  uint8_t flags;
  uint32_t frame;
  uint64_t time;
};

static inline void put_video(uint8_t *at, struct video_message message) {
  at[0] = MESSAGE_VIDEO;
  at[1] = message.flags;
  put_u32(at + 2, message.frame);
  put_u64(at + 6, message.time);
}

struct audio_message {
  uint8_t flags;
  uint32_t sequence;
  uint64_t time;
};

static inline void put_audio(uint8_t *at, struct audio_message message) {
  at[0] = MESSAGE_AUDIO;
  at[1] = message.flags;
  put_u32(at + 2, message.sequence);
  put_u64(at + 6, message.time);
}

struct cursor_message {
  uint8_t visible;
  uint16_t hot_x;
  uint16_t hot_y;
  uint16_t width;
  uint16_t height;
};

static inline void put_cursor(uint8_t *at, struct cursor_message message) {
  at[0] = MESSAGE_CURSOR;
  at[1] = message.visible != 0;
  put_u16(at + 2, message.hot_x);
  put_u16(at + 4, message.hot_y);
  put_u16(at + 6, message.width);
  put_u16(at + 8, message.height);
}

struct patch_message {
  uint32_t frame;
  uint16_t x;
  uint16_t y;
  uint16_t width;
  uint16_t height;
};

static inline void put_patch(uint8_t *at, struct patch_message message) {
  at[0] = MESSAGE_PATCH;
  put_u32(at + 1, message.frame);
  put_u16(at + 5, message.x);
  put_u16(at + 7, message.y);
  put_u16(at + 9, message.width);
  put_u16(at + 11, message.height);
}

struct copied_message {
  uint8_t incomplete;
  uint32_t text_size;
  uint32_t html_size;
};

static inline void put_copied(uint8_t *at, struct copied_message message) {
  at[0] = MESSAGE_COPIED;
  at[1] = message.incomplete != 0;
  put_u32(at + 2, message.text_size);
  put_u32(at + 6, message.html_size);
}

struct window_message {
  uint8_t count;
  uint8_t index;
  uint32_t id;
  uint8_t kind;
  uint8_t active;
  int16_t x;
  int16_t y;
  uint16_t width;
  uint16_t height;
};

static inline void put_window(uint8_t *at, struct window_message message) {
  at[0] = MESSAGE_WINDOW;
  at[1] = message.count;
  at[2] = message.index;
  put_u32(at + 3, message.id);
  at[7] = message.kind;
  at[8] = message.active != 0;
  put_u16(at + 9, (uint16_t)message.x);
  put_u16(at + 11, (uint16_t)message.y);
  put_u16(at + 13, message.width);
  put_u16(at + 15, message.height);
}

struct display_message {
  uint16_t width;
  uint16_t height;
  uint8_t fps;
  uint8_t quality;
  uint8_t chroma;
};

static inline void put_display(uint8_t *at, struct display_message message) {
  at[0] = MESSAGE_DISPLAY;
  put_u16(at + 1, message.width);
  put_u16(at + 3, message.height);
  at[5] = message.fps;
  at[6] = message.quality;
  at[7] = message.chroma != 0;
}

struct windows_message {
  uint16_t count;
};

static inline void put_windows(uint8_t *at, struct windows_message message) {
  at[0] = MESSAGE_WINDOWS;
  put_u16(at + 1, message.count);
}

struct shot_message {
  uint16_t width;
  uint16_t height;
  uint16_t top;
};

static inline void put_shot(uint8_t *at, struct shot_message message) {
  at[0] = MESSAGE_SHOT;
  put_u16(at + 1, message.width);
  put_u16(at + 3, message.height);
  put_u16(at + 5, message.top);
}

struct scroll_message {
  int16_t dx;
  int16_t dy;
  uint16_t x;
  uint16_t y;
};

static inline void put_scroll(uint8_t *at, struct scroll_message message) {
  at[0] = MESSAGE_SCROLL;
  put_u16(at + 1, (uint16_t)message.dx);
  put_u16(at + 3, (uint16_t)message.dy);
  put_u16(at + 5, message.x);
  put_u16(at + 7, message.y);
}

struct encoder_message {
  uint8_t hardware;
};

static inline void put_encoder(uint8_t *at, struct encoder_message message) {
  at[0] = MESSAGE_ENCODER;
  at[1] = message.hardware != 0;
}

struct layers_message {
  uint8_t count;
};

static inline void put_layers(uint8_t *at, struct layers_message message) {
  at[0] = MESSAGE_LAYERS;
  at[1] = message.count;
}

struct target_message {
  uint8_t focused;
};

static inline void put_target(uint8_t *at, struct target_message message) {
  at[0] = MESSAGE_TARGET;
  at[1] = message.focused != 0;
}
