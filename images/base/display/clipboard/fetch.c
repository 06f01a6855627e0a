#include "clipboard/fetch.h"

#include <X11/Xatom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/text.h"
#include "wire/messages.h"
#include "wire/out.h"

enum { PATIENCE_US = 3000000, PROPERTIES = 4 };

static struct {
  Display *display;
  Window window;
  Atom clipboard, utf8, incremental;
  /* Each request has its own property: a slow owner may answer an earlier request after a later one was made. */
  Atom properties[PROPERTIES], property;
  unsigned requests;
  Time time;
  enum { IDLE, ASKED, RECEIVING } state;
  int64_t deadline;
  uint8_t *text;
  size_t size;
} fetch = { .deadline = NEVER };

void clipboard_fetch_start(Display *display, Window window) {
  fetch.display = display;
  fetch.window = window;
  fetch.clipboard = XInternAtom(display, "CLIPBOARD", False);
  fetch.utf8 = XInternAtom(display, "UTF8_STRING", False);
  fetch.incremental = XInternAtom(display, "INCR", False);
  for (int i = 0; i < PROPERTIES; i++) {
    char name[32];
    snprintf(name, sizeof name, "BERTH_CLIPBOARD_%d", i);
    fetch.properties[i] = XInternAtom(display, name, False);
  }
}

void clipboard_fetch(Time time) {
  clipboard_fetch_cancel();
  fetch.property = fetch.properties[fetch.requests++ % PROPERTIES];
  fetch.time = time;
  XConvertSelection(fetch.display, fetch.clipboard, fetch.utf8, fetch.property, fetch.window, time);
  XFlush(fetch.display);
  fetch.state = ASKED;
  fetch.deadline = now_us() + PATIENCE_US;
}

void clipboard_fetch_cancel(void) {
  free(fetch.text);
  fetch.text = NULL;
  fetch.size = 0;
  fetch.state = IDLE;
  fetch.deadline = NEVER;
}

static bool append(const uint8_t *bytes, size_t size) {
  if (size == 0) return true;
  if (fetch.size + size > CLIPBOARD_MAX_BYTES) return false;
  uint8_t *larger = realloc(fetch.text, fetch.size + size);
  if (!larger) return false;
  fetch.text = larger;
  memcpy(fetch.text + fetch.size, bytes, size);
  fetch.size += size;
  return true;
}

static void finish(void) {
  uint8_t head[CLIPBOARD_BYTES] = { MESSAGE_CLIPBOARD };
  if (fetch.size > 0 && text_is_valid(fetch.text, fetch.size)) out_send(head, sizeof head, fetch.text, fetch.size);
  clipboard_fetch_cancel();
}

/* Removes the property from the window: its content, or the announcement of increments. */
static bool take_property(Atom *type, size_t *taken) {
  int format;
  unsigned long items = 0, rest = 0;
  unsigned char *data = NULL;
  int status = XGetWindowProperty(fetch.display, fetch.window, fetch.property, 0, CLIPBOARD_MAX_BYTES / 4 + 1, True,
                                  AnyPropertyType, type, &format, &items, &rest, &data);
  bool fits = status == Success && rest == 0;
  bool is_text = fits && format == 8;
  *taken = is_text ? items : 0;
  if (is_text) fits = append(data, items);
  if (data) XFree(data);
  return fits;
}

/* Whether the event answers the last request. A refusal names no property. */
static bool is_answer(const XSelectionEvent *event) {
  if (fetch.state != ASKED || event->selection != fetch.clipboard) return false;
  return event->property == None ? event->time == fetch.time : event->property == fetch.property;
}

static void answered(const XSelectionEvent *event) {
  Atom type = None;
  size_t taken;
  if (event->property == None || !take_property(&type, &taken)) {
    clipboard_fetch_cancel();
    return;
  }
  if (type == fetch.incremental) {
    fetch.state = RECEIVING;
    fetch.deadline = now_us() + PATIENCE_US;
    return;
  }
  finish();
}

static void received_increment(void) {
  Atom type;
  size_t taken;
  if (!take_property(&type, &taken)) {
    clipboard_fetch_cancel();
    return;
  }
  fetch.deadline = now_us() + PATIENCE_US;
  if (taken == 0) finish();
}

bool clipboard_fetch_event(const XEvent *event) {
  if (event->type == SelectionNotify && event->xselection.requestor == fetch.window) {
    if (is_answer(&event->xselection)) answered(&event->xselection);
    return true;
  }
  if (event->type != PropertyNotify || event->xproperty.window != fetch.window) return false;
  bool news = event->xproperty.atom == fetch.property && event->xproperty.state == PropertyNewValue;
  if (news && fetch.state == RECEIVING) received_increment();
  return true;
}

int64_t clipboard_fetch_deadline(void) {
  return fetch.deadline;
}

void clipboard_fetch_run(void) {
  if (now_us() >= fetch.deadline) clipboard_fetch_cancel();
}
