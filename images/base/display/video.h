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

/** Starts to watch the screen; nothing is encoded until video_stream. False: no shared memory. */
bool video_start(struct screen *screen);

/** Takes size, frame rate and quality in force and answers with what is in force now. */
void video_set_display(const struct display_settings *settings);

/** Starts, with a key frame at once, or stops the stream. */
void video_stream(bool on);

/** Asks for a key frame; at most four a second are made, the request is kept until then. */
void video_key_frame(void);

/** Sets the ceiling of the rate in kbit/s. */
void video_set_rate(uint32_t kbps);

/** Looks at an X event; true where it was about damage. */
bool video_event(const XEvent *event);

/** When the next frame is due, in microseconds; NEVER while nothing is to do. */
int64_t video_deadline(void);

/** Sends the frame that is due, if any. */
void video_run(void);

void video_stop(void);
