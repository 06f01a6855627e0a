#include "clipboard/clipboard.h"

#include <X11/extensions/Xfixes.h>

#include "clipboard/fetch.h"
#include "clipboard/serve.h"
#include "common/text.h"

static struct {
  Display *display;
  Window window;
  int fixes_event;
  Atom clipboard;
} clip;

static bool is_owned(void) {
  return XGetSelectionOwner(clip.display, clip.clipboard) != None;
}

void clipboard_start(Display *display) {
  int error;
  clip.display = display;
  clip.window = XCreateSimpleWindow(display, DefaultRootWindow(display), -1, -1, 1, 1, 0, 0, 0);
  clip.clipboard = XInternAtom(display, "CLIPBOARD", False);
  XSelectInput(display, clip.window, PropertyChangeMask);
  XFixesQueryExtension(display, &clip.fixes_event, &error);
  XFixesSelectSelectionInput(display, clip.window, clip.clipboard, XFixesSetSelectionOwnerNotifyMask);
  clipboard_fetch_start(display, clip.window);
  clipboard_serve_start(display);
  if (is_owned()) clipboard_fetch(CurrentTime);
}

void clipboard_set(const struct clipboard_content *content) {
  struct clipboard_part text = content->parts[CLIPBOARD_TEXT], html = content->parts[CLIPBOARD_HTML];
  if (!text_is_valid(text.bytes, text.size) || !text_is_valid(html.bytes, html.size)) return;
  if (!clipboard_serve_set(content)) return;
  clipboard_fetch_cancel();
  XSetSelectionOwner(clip.display, clip.clipboard, clip.window, CurrentTime);
  XFlush(clip.display);
}

static void owner_changed(const XFixesSelectionNotifyEvent *event) {
  if (event->owner == clip.window) return;
  clipboard_serve_clear();
  clipboard_fetch_cancel();
  if (event->owner != None) clipboard_fetch(event->selection_timestamp);
}

bool clipboard_event(const XEvent *event) {
  if (event->type == clip.fixes_event + XFixesSelectionNotify) {
    owner_changed((const XFixesSelectionNotifyEvent *)event);
    return true;
  }
  if (event->type == SelectionClear) return true;
  return clipboard_fetch_event(event) || clipboard_serve_event(event);
}

int64_t clipboard_deadline(void) {
  int64_t fetch = clipboard_fetch_deadline(), serve = clipboard_serve_deadline();
  return fetch < serve ? fetch : serve;
}

void clipboard_run(void) {
  clipboard_fetch_run();
  clipboard_serve_run();
}

void clipboard_stop(void) {
  clipboard_fetch_cancel();
  clipboard_serve_clear();
  XDestroyWindow(clip.display, clip.window);
}
