#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdint.h>

#include "desktop/screen.h"
#include "encode/quality.h"

/**
 * Decides when the screen is captured and encoded: immediately on the first change, then at most one frame per period,
 * and never before the previous frame is written. A screen that has been still for a while is refined. The small
 * layer, of half the width and height and at most 30 frames a second, is encoded as well while somebody needs it.
 */

/** The parameters of `set display`. */
struct display_settings {
  int width, height, fps;
  enum quality quality;
  bool chroma444;
};

struct video;

/** Starts tracking the screen; nothing is encoded until video_stream. NULL: no memory. */
struct video *video_open(struct screen *screen);

/** Applies size, frame rate and quality, and returns the actual values. */
void video_set_display(struct video *video, const struct display_settings *settings);

/** Starts the stream, immediately with a key frame, or stops it. */
void video_stream(struct video *video, bool on);

/** Requests a key frame; at most four per second are made, and the request is deferred until then. */
void video_key_frame(struct video *video);

/** Sets the maximum bit rate in kbit/s. */
void video_set_rate(struct video *video, uint32_t kbps);

/** Starts the small layer with this maximum rate in kbit/s, with a key frame, or sets its rate, or stops it. */
void video_small_layer(struct video *video, bool on, uint32_t kbps);

/** Requests a key frame of the small layer, as video_key_frame does. */
void video_small_key_frame(struct video *video);

/** Announces how many layers there can be. */
void video_announce(void);

/** Handles an X event; true if it was about damage. */
bool video_event(struct video *video, const XEvent *event);

/** When the next frame is due, in microseconds; NEVER if there is nothing to do. */
int64_t video_deadline(const struct video *video);

/** Sends the next frame if it is due. */
void video_run(struct video *video);

void video_close(struct video *video);
