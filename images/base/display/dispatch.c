#include "dispatch.h"

#include "audio.h"
#include "clipboard.h"
#include "keyboard.h"
#include "pointer.h"
#include "shot.h"
#include "video.h"
#include "wire.h"

enum { BUTTON_MAX = 4, KEYSYM_MAX = 0x1fffffff, FPS_MAX = 60 };

static void on_move(const uint8_t *body) {
  pointer_move(get_u16(body), get_u16(body + 2));
}

static void on_button(uint32_t user, const uint8_t *body) {
  if (body[0] > BUTTON_MAX || body[1] > 1) return;
  pointer_move(get_u16(body + 2), get_u16(body + 4));
  pointer_button(user, body[0], body[1]);
}

static void on_wheel(const uint8_t *body) {
  pointer_move(get_u16(body + 4), get_u16(body + 6));
  pointer_wheel(get_i16(body), get_i16(body + 2));
}

static void on_key(uint32_t user, const uint8_t *body) {
  uint32_t symbol = get_u32(body + 1);
  if (body[0] <= 1 && symbol > 0 && symbol <= KEYSYM_MAX) keyboard_key(user, body[0], symbol);
}

static void on_stream(const uint8_t *body) {
  if (body[0] > 1 || body[1] > 1) return;
  video_stream(body[0]);
  audio_stream(body[1]);
}

static void on_set_display(const uint8_t *body) {
  struct display_settings settings = {
    .width = get_u16(body),
    .height = get_u16(body + 2),
    .fps = body[4],
    .quality = body[5],
    .chroma444 = body[6] == 1,
  };
  if (settings.width == 0 || settings.height == 0 || settings.fps == 0 || settings.fps > FPS_MAX) return;
  if (body[5] <= QUALITY_BLOCKY && body[6] <= 1) video_set_display(&settings);
}

static void on_release(uint32_t user) {
  keyboard_release(user);
  pointer_release(user);
}

void dispatch(uint32_t user, const uint8_t *message, size_t size) {
  const uint8_t *body = message + 1;
  size_t rest = size - 1;
  switch (message[0]) {
    case MESSAGE_MOVE:
      if (rest == 4) on_move(body);
      break;
    case MESSAGE_BUTTON:
      if (rest == 6) on_button(user, body);
      break;
    case MESSAGE_WHEEL:
      if (rest == 8) on_wheel(body);
      break;
    case MESSAGE_KEY:
      if (rest == 5) on_key(user, body);
      break;
    case MESSAGE_TEXT:
      if (rest <= TEXT_MAX_BYTES) keyboard_text(body, rest);
      break;
    case MESSAGE_CLIPBOARD:
      if (rest <= CLIPBOARD_MAX_BYTES) clipboard_set(body, rest);
      break;
    case MESSAGE_RELEASE:
      if (rest == 0) on_release(user);
      break;
    case MESSAGE_KEYFRAME:
      if (rest == 0) video_key_frame();
      break;
    case MESSAGE_RATE:
      if (rest == 4) video_set_rate(get_u32(body));
      break;
    case MESSAGE_STREAM:
      if (rest == 2) on_stream(body);
      break;
    case MESSAGE_SET_DISPLAY:
      if (rest == 7) on_set_display(body);
      break;
    case MESSAGE_TURN:
      if (rest == 4) pointer_turn(get_i16(body), get_i16(body + 2));
      break;
    case MESSAGE_SCREENSHOT:
      if (rest == 2) shot_take(get_u16(body));
      break;
  }
}
