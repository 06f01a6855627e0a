#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdint.h>

#include "quality.h"
#include "screen.h"

/**
 * Decides when the screen is captured and encoded: the first change at once, then at most one frame per period,
 * never while the frame before is not written. A screen that has been still for a while is refined once.
 */

/** What `set display` asks for. */
struct display_settings {
  int width, height, fps;
  enum quality quality;
  bool chroma444;
};

struct video;

/** Starts to watch the screen; nothing is encoded until video_stream. NULL: no memory. */
struct video *video_open(struct screen *screen);

/** Takes size, frame rate and quality in force and answers with what is in force now. */
void video_set_display(struct video *video, const struct display_settings *settings);

/** Starts, with a key frame at once, or stops the stream. */
void video_stream(struct video *video, bool on);

/** Asks for a key frame; at most four a second are made, the request is kept until then. */
void video_key_frame(struct video *video);

/** Sets the ceiling of the rate in kbit/s. */
void video_set_rate(struct video *video, uint32_t kbps);

/** Looks at an X event; true where it was about damage. */
bool video_event(struct video *video, const XEvent *event);

/** When the next frame is due, in microseconds; NEVER while nothing is to do. */
int64_t video_deadline(const struct video *video);

/** Sends the frame that is due, if any. */
void video_run(struct video *video);

void video_close(struct video *video);
