#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clipboard/content.h"

/** Serves the clipboard to programs while its content comes from a viewer; large parts in increments (INCR). */

void clipboard_serve_start(Display *display);

/** Sets new content, which is copied. False: out of memory. */
bool clipboard_serve_set(const struct clipboard_content *content);

/** Clears the content. Transfers in progress are aborted. */
void clipboard_serve_clear(void);

bool clipboard_serve_event(const XEvent *event);

int64_t clipboard_serve_deadline(void);

/** Drops programs that stopped fetching increments. */
void clipboard_serve_run(void);
