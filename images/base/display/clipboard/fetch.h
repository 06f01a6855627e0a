#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdint.h>

/** Requests the clipboard's text from its owner and forwards it, whole or in increments (INCR). */

void clipboard_fetch_start(Display *display, Window window);

/** Sends the request; the answer arrives as events. */
void clipboard_fetch(Time time);

/** Cancels a pending request. */
void clipboard_fetch_cancel(void);

bool clipboard_fetch_event(const XEvent *event);

int64_t clipboard_fetch_deadline(void);

/** Cancels the request if the owner has been silent for too long. */
void clipboard_fetch_run(void);
