#include "clipboard/fetch.h"

#include <X11/Xatom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clipboard/content.h"
#include "common/clock.h"
#include "common/text.h"
#include "wire/from-helper.h"
#include "wire/out.h"

/* An owner that goes on sending, however slowly, is given up as well. */
enum { PATIENCE_US = 3000000, WHOLE_PATIENCE_US = 30000000, PROPERTIES = 16, TARGETS_MAX = 256 };

/* What has been asked for: the list of targets, then each form that is in it. */
enum { LIST = -1 };

static const size_t LIMITS[CLIPBOARD_FORMS] = { CLIPBOARD_MAX_BYTES, CLIPBOARD_MAX_BYTES, PICTURE_MAX_BYTES };

static struct {
  Display *display;
  Window window;
  Atom clipboard, targets, incremental, forms[CLIPBOARD_FORMS];
  /* Each request has its own property: a slow owner may answer an earlier request after a later one was made. */
  Atom properties[PROPERTIES], property;
  unsigned requests;
  Time time;
  enum { IDLE, ASKED, RECEIVING } state;
  int asked;
  bool offered[CLIPBOARD_FORMS], incomplete;
  int64_t deadline, end;
  /* The forms one after the other. */
  uint8_t *bytes;
  size_t size, sizes[CLIPBOARD_FORMS];
} fetch = { .deadline = NEVER };

void clipboard_fetch_start(Display *display, Window window) {
  fetch.display = display;
  fetch.window = window;
  fetch.clipboard = XInternAtom(display, "CLIPBOARD", False);
  fetch.targets = XInternAtom(display, "TARGETS", False);
  fetch.incremental = XInternAtom(display, "INCR", False);
  fetch.forms[CLIPBOARD_TEXT] = XInternAtom(display, "UTF8_STRING", False);
  fetch.forms[CLIPBOARD_HTML] = XInternAtom(display, "text/html", False);
  fetch.forms[CLIPBOARD_PNG] = XInternAtom(display, "image/png", False);
  for (int i = 0; i < PROPERTIES; i++) {
    char name[32];
    snprintf(name, sizeof name, "BERTH_CLIPBOARD_%d", i);
    fetch.properties[i] = XInternAtom(display, name, False);
  }
}

static void wait_for_owner(void) {
  int64_t deadline = now_us() + PATIENCE_US;
  fetch.deadline = deadline < fetch.end ? deadline : fetch.end;
}

static void ask(int what) {
  fetch.asked = what;
  fetch.property = fetch.properties[fetch.requests++ % PROPERTIES];
  Atom target = what == LIST ? fetch.targets : fetch.forms[what];
  XConvertSelection(fetch.display, fetch.clipboard, target, fetch.property, fetch.window, fetch.time);
  XFlush(fetch.display);
  fetch.state = ASKED;
  wait_for_owner();
}

void clipboard_fetch(Time time) {
  clipboard_fetch_cancel();
  fetch.time = time;
  fetch.end = now_us() + WHOLE_PATIENCE_US;
  ask(LIST);
}

void clipboard_fetch_cancel(void) {
  free(fetch.bytes);
  fetch.bytes = NULL;
  fetch.size = 0;
  memset(fetch.sizes, 0, sizeof fetch.sizes);
  memset(fetch.offered, 0, sizeof fetch.offered);
  fetch.incomplete = false;
  fetch.state = IDLE;
  fetch.deadline = NEVER;
}

static bool append(const uint8_t *bytes, size_t size) {
  if (size == 0) return true;
  if (fetch.sizes[fetch.asked] + size > LIMITS[fetch.asked]) return false;
  uint8_t *larger = realloc(fetch.bytes, fetch.size + size);
  if (!larger) return false;
  fetch.bytes = larger;
  memcpy(fetch.bytes + fetch.size, bytes, size);
  fetch.size += size;
  fetch.sizes[fetch.asked] += size;
  return true;
}

/* Forgets the form that has been asked for. */
static void drop(void) {
  fetch.size -= fetch.sizes[fetch.asked];
  fetch.sizes[fetch.asked] = 0;
}

/* Text alone is told as it always was. */
static void finish(void) {
  uint8_t head[COPIED_BYTES] = { MESSAGE_CLIPBOARD };
  size_t head_size = CLIPBOARD_BYTES;
  if (fetch.incomplete || fetch.size > fetch.sizes[CLIPBOARD_TEXT]) {
    put_copied(head, (struct copied_message){
                         .incomplete = fetch.incomplete,
                         .text_size = (uint32_t)fetch.sizes[CLIPBOARD_TEXT],
                         .html_size = (uint32_t)fetch.sizes[CLIPBOARD_HTML],
                     });
    head_size = COPIED_BYTES;
  }
  if (fetch.incomplete || fetch.size > 0) out_send(head, head_size, fetch.bytes, fetch.size);
  clipboard_fetch_cancel();
}

static void ask_next(void) {
  for (int form = fetch.asked + 1; form < CLIPBOARD_FORMS; form++) {
    if (!fetch.offered[form]) continue;
    ask(form);
    return;
  }
  finish();
}

static void received_form(void) {
  const uint8_t *bytes = fetch.bytes + fetch.size - fetch.sizes[fetch.asked];
  if (fetch.asked != CLIPBOARD_PNG && !text_is_valid(bytes, fetch.sizes[fetch.asked])) drop();
  ask_next();
}

static void failed(void) {
  if (fetch.asked != LIST) {
    drop();
    fetch.incomplete = true;
  }
  ask_next();
}

static void note_targets(const Atom *targets, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (int form = 0; form < CLIPBOARD_FORMS; form++) {
      if (targets[i] == fetch.forms[form]) fetch.offered[form] = true;
    }
  }
}

/* Removes the property from the window: its content, or the announcement of increments. */
static bool take_property(Atom *type, size_t *taken) {
  int format;
  unsigned long items = 0, rest = 0;
  unsigned char *data = NULL;
  size_t largest = fetch.asked == LIST ? TARGETS_MAX * 4 : LIMITS[fetch.asked];
  int status = XGetWindowProperty(fetch.display, fetch.window, fetch.property, 0, (long)largest / 4 + 1, True,
                                  AnyPropertyType, type, &format, &items, &rest, &data);
  bool fits = status == Success && rest == 0;
  /* What is too large stays there otherwise. */
  if (!fits) XDeleteProperty(fetch.display, fetch.window, fetch.property);
  bool is_list = fits && fetch.asked == LIST && format == 32 && *type == XA_ATOM;
  bool is_form = fits && fetch.asked != LIST && format == 8;
  *taken = is_form ? items : 0;
  if (is_list) note_targets((const Atom *)(void *)data, items);
  if (is_form) fits = append(data, items);
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
  if (event->property == None) {
    /* Who has no list may still have text. */
    if (fetch.asked == LIST) fetch.offered[CLIPBOARD_TEXT] = true;
    ask_next();
  } else if (!take_property(&type, &taken)) {
    failed();
  } else if (fetch.asked == LIST) {
    ask_next();
  } else if (type == fetch.incremental) {
    fetch.state = RECEIVING;
    wait_for_owner();
  } else {
    received_form();
  }
}

static void received_increment(void) {
  Atom type;
  size_t taken;
  if (!take_property(&type, &taken)) failed();
  else if (taken == 0) received_form();
  else wait_for_owner();
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
  if (now_us() >= fetch.deadline) failed();
}
