#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The CLIPBOARD selection in both directions, text of at most 1 MiB of UTF-8. */

/** Starts watching the selection. */
void clipboard_start(Display *display);

/** Sets the clipboard to a viewer's text. */
void clipboard_set(const uint8_t *text, size_t size);

/** Handles an X event; true if it was about the clipboard. */
bool clipboard_event(const XEvent *event);

/** When a transfer with a silent program times out, in microseconds; NEVER if there is none. */
int64_t clipboard_deadline(void);

/** Cancels timed out transfers. */
void clipboard_run(void);

void clipboard_stop(void);
