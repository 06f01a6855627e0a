#include "clipboard/serve.h"

#include <X11/Xatom.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"

enum { TRANSFERS_MAX = 8, CHUNK_BYTES = 64 << 10, PATIENCE_US = 5000000 };

struct transfer {
  Window requestor;
  Atom property, type;
  size_t sent;
  int64_t deadline;
};

static struct {
  Display *display;
  Atom targets, incremental, utf8, plain, plain_utf8, text_type;
  uint8_t *text;
  size_t size;
  struct transfer transfers[TRANSFERS_MAX];
  int count;
} serve;

void clipboard_serve_start(Display *display) {
  serve.display = display;
  serve.targets = XInternAtom(display, "TARGETS", False);
  serve.incremental = XInternAtom(display, "INCR", False);
  serve.utf8 = XInternAtom(display, "UTF8_STRING", False);
  serve.plain = XInternAtom(display, "text/plain", False);
  serve.plain_utf8 = XInternAtom(display, "text/plain;charset=utf-8", False);
  serve.text_type = XInternAtom(display, "TEXT", False);
}

static void end_transfer(int index) {
  XSelectInput(serve.display, serve.transfers[index].requestor, NoEventMask);
  serve.transfers[index] = serve.transfers[--serve.count];
}

bool clipboard_serve_set(const uint8_t *text, size_t size) {
  uint8_t *copy = malloc(size + 1);
  if (!copy) return false;
  memcpy(copy, text, size);
  clipboard_serve_clear();
  serve.text = copy;
  serve.size = size;
  return true;
}

void clipboard_serve_clear(void) {
  while (serve.count > 0) end_transfer(serve.count - 1);
  free(serve.text);
  serve.text = NULL;
  serve.size = 0;
}

static void put(Window window, Atom property, Atom type, int format, const void *data, size_t items) {
  XChangeProperty(serve.display, window, property, type, format, PropModeReplace, data, (int)items);
}

static bool is_text(Atom target) {
  return target == serve.utf8 || target == serve.plain || target == serve.plain_utf8 || target == serve.text_type ||
         target == XA_STRING;
}

static bool begin_transfer(const XSelectionRequestEvent *request, Atom type) {
  if (serve.count == TRANSFERS_MAX) return false;
  long size = (long)serve.size;
  XSelectInput(serve.display, request->requestor, PropertyChangeMask);
  serve.transfers[serve.count++] = (struct transfer){
    .requestor = request->requestor,
    .property = request->property,
    .type = type,
    .deadline = now_us() + PATIENCE_US,
  };
  put(request->requestor, request->property, serve.incremental, 32, &size, 1);
  return true;
}

/* Whether the request could be served. The text is UTF-8 whichever target is requested. */
static bool answer(const XSelectionRequestEvent *request) {
  if (!serve.text || request->property == None) return false;
  if (request->target == serve.targets) {
    Atom targets[] = { serve.targets, serve.utf8, serve.plain_utf8, serve.plain, serve.text_type, XA_STRING };
    put(request->requestor, request->property, XA_ATOM, 32, targets, sizeof targets / sizeof *targets);
    return true;
  }
  if (!is_text(request->target)) return false;
  Atom type = request->target == serve.text_type ? serve.utf8 : request->target;
  if (serve.size > CHUNK_BYTES) return begin_transfer(request, type);
  put(request->requestor, request->property, type, 8, serve.text, serve.size);
  return true;
}

static void reply(const XSelectionRequestEvent *request) {
  XSelectionRequestEvent asked = *request;
  if (asked.property == None) asked.property = asked.target;
  XEvent event = {
    .xselection = {
      .type = SelectionNotify,
      .requestor = asked.requestor,
      .selection = asked.selection,
      .target = asked.target,
      .property = answer(&asked) ? asked.property : None,
      .time = asked.time,
    },
  };
  XSendEvent(serve.display, asked.requestor, False, NoEventMask, &event);
  XFlush(serve.display);
}

/* The requestor has deleted what it read: send the next part, an empty one at the end. */
static void send_next(int index) {
  struct transfer *transfer = &serve.transfers[index];
  size_t rest = serve.size - transfer->sent;
  size_t size = rest < CHUNK_BYTES ? rest : CHUNK_BYTES;
  put(transfer->requestor, transfer->property, transfer->type, 8, serve.text + transfer->sent, size);
  transfer->sent += size;
  transfer->deadline = now_us() + PATIENCE_US;
  if (size == 0) end_transfer(index);
  XFlush(serve.display);
}

bool clipboard_serve_event(const XEvent *event) {
  if (event->type == SelectionRequest) {
    reply(&event->xselectionrequest);
    return true;
  }
  if (event->type != PropertyNotify || event->xproperty.state != PropertyDelete) return false;
  for (int i = 0; i < serve.count; i++) {
    const struct transfer *transfer = &serve.transfers[i];
    if (transfer->requestor != event->xproperty.window || transfer->property != event->xproperty.atom) continue;
    send_next(i);
    return true;
  }
  return false;
}

int64_t clipboard_serve_deadline(void) {
  int64_t deadline = NEVER;
  for (int i = 0; i < serve.count; i++) {
    if (serve.transfers[i].deadline < deadline) deadline = serve.transfers[i].deadline;
  }
  return deadline;
}

void clipboard_serve_run(void) {
  int64_t now = now_us();
  for (int i = serve.count - 1; i >= 0; i--) {
    if (now >= serve.transfers[i].deadline) end_transfer(i);
  }
}
