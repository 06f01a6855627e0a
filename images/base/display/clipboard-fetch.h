#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdint.h>

/** Asks the clipboard's owner for its text and sends it on, whole or in increments (INCR). */

void clipboard_fetch_start(Display *display, Window window);

/** Asks the owner; the answer comes as events. */
void clipboard_fetch(Time time);

/** Forgets a running question. */
void clipboard_fetch_cancel(void);

bool clipboard_fetch_event(const XEvent *event);

int64_t clipboard_fetch_deadline(void);

/** Gives up an owner that has been silent for too long. */
void clipboard_fetch_run(void);
