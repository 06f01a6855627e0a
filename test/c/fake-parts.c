#include "audio/audio.h"
#include "capture/shot.h"
#include "clipboard/clipboard.h"
#include "common/text.h"
#include "desktop/window-list.h"
#include "expect.h"
#include "fakes.h"
#include "video/video.h"
#include "wire/messages.h"

void audio_stream(bool on) {
  note("audio %d", on);
}

void clipboard_set(const struct clipboard_content *content) {
  static const char *const names[] = { "clipboard", "clipboard html", "clipboard png" };
  static const size_t limits[] = { CLIPBOARD_MAX_BYTES, CLIPBOARD_MAX_BYTES, PICTURE_MAX_BYTES };
  for (int form = 0; form < CLIPBOARD_FORMS; form++) {
    struct clipboard_part part = content->parts[form];
    EXPECT(part.size <= limits[form]);
    if (part.bytes) note("%s %.*s", names[form], part.size > 100 ? 100 : (int)part.size, (const char *)part.bytes);
  }
}

void window_list_activate(uint32_t id) {
  note("activate %u", id);
}

void window_list_close(uint32_t id) {
  note("close %u", id);
}

void window_list_place(uint32_t id, int x, int y, int width, int height) {
  note("place %u at %d %d size %dx%d", id, x, y, width, height);
}

void shot_take(int width) {
  note("shot %d", width);
}

void video_set_display(struct video *video, const struct display_settings *settings) {
  (void)video;
  EXPECT(settings->width > 0 && settings->height > 0);
  EXPECT(settings->fps > 0 && settings->fps <= 60);
  EXPECT(settings->quality <= QUALITY_BLOCKY);
  note("display %dx%d fps %d quality %d chroma444 %d", settings->width, settings->height, settings->fps,
       (int)settings->quality, settings->chroma444);
}

void video_stream(struct video *video, bool on) {
  (void)video;
  note("video %d", on);
}

void video_key_frame(struct video *video) {
  (void)video;
  note("key frame");
}

void video_small_layer(struct video *video, bool on, uint32_t kbps) {
  (void)video;
  note("small layer %d rate %u", on, kbps);
}

void video_small_key_frame(struct video *video) {
  (void)video;
  note("small key frame");
}

void video_set_rate(struct video *video, uint32_t kbps) {
  (void)video;
  note("rate %u", kbps);
}
