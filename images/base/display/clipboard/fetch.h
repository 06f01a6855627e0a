#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdint.h>

/** Requests the clipboard's text, HTML and picture from its owner and forwards them; large ones in increments (INCR).
 */

void clipboard_fetch_start(Display *display, Window window);

/** Sends the request; the answer arrives as events. */
void clipboard_fetch(Time time);

/** Cancels a pending request. */
void clipboard_fetch_cancel(void);

bool clipboard_fetch_event(const XEvent *event);

int64_t clipboard_fetch_deadline(void);

/** Gives up what the owner has not sent in time. */
void clipboard_fetch_run(void);
