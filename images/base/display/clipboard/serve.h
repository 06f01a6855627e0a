#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Serves the clipboard to programs while its text comes from a viewer; large texts in increments (INCR). */

void clipboard_serve_start(Display *display);

/** Sets a new text. False: out of memory. */
bool clipboard_serve_set(const uint8_t *text, size_t size);

/** Clears the text. Transfers in progress are aborted. */
void clipboard_serve_clear(void);

bool clipboard_serve_event(const XEvent *event);

int64_t clipboard_serve_deadline(void);

/** Drops programs that stopped fetching increments. */
void clipboard_serve_run(void);
