#include "clipboard/serve.h"

#include <X11/Xatom.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"

enum { TRANSFERS_MAX = 8, CHUNK_BYTES = 64 << 10, PATIENCE_US = 5000000 };

struct transfer {
  Window requestor;
  Atom property, type;
  struct clipboard_part part;
  size_t sent;
  int64_t deadline;
};

static struct {
  Display *display;
  Atom targets, incremental, utf8, plain, plain_utf8, text_type, html, png;
  uint8_t *bytes;
  struct clipboard_content content;
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
  serve.html = XInternAtom(display, "text/html", False);
  serve.png = XInternAtom(display, "image/png", False);
}

static void end_transfer(int index) {
  XSelectInput(serve.display, serve.transfers[index].requestor, NoEventMask);
  serve.transfers[index] = serve.transfers[--serve.count];
}

bool clipboard_serve_set(const struct clipboard_content *content) {
  size_t size = 0;
  for (int form = 0; form < CLIPBOARD_FORMS; form++) size += content->parts[form].size;
  uint8_t *bytes = malloc(size + 1);
  if (!bytes) return false;
  clipboard_serve_clear();
  serve.bytes = bytes;
  for (int form = 0; form < CLIPBOARD_FORMS; form++) {
    struct clipboard_part part = content->parts[form];
    if (!part.bytes) continue;
    memcpy(bytes, part.bytes, part.size);
    serve.content.parts[form] = (struct clipboard_part){ .bytes = bytes, .size = part.size };
    bytes += part.size;
  }
  return true;
}

void clipboard_serve_clear(void) {
  while (serve.count > 0) end_transfer(serve.count - 1);
  free(serve.bytes);
  serve.bytes = NULL;
  serve.content = (struct clipboard_content){ 0 };
}

static void put(Window window, Atom property, Atom type, int format, const void *data, size_t items) {
  XChangeProperty(serve.display, window, property, type, format, PropModeReplace, data, (int)items);
}

static bool is_text(Atom target) {
  return target == serve.utf8 || target == serve.plain || target == serve.plain_utf8 || target == serve.text_type ||
         target == XA_STRING;
}

/* The part that a target means; one without bytes for others. */
static struct clipboard_part part_of(Atom target) {
  if (is_text(target)) return serve.content.parts[CLIPBOARD_TEXT];
  if (target == serve.html) return serve.content.parts[CLIPBOARD_HTML];
  if (target == serve.png) return serve.content.parts[CLIPBOARD_PNG];
  return (struct clipboard_part){ 0 };
}

static void put_targets(const XSelectionRequestEvent *request) {
  Atom all[] = { serve.utf8, serve.plain_utf8, serve.plain, serve.text_type, XA_STRING, serve.html, serve.png };
  Atom targets[1 + sizeof all / sizeof *all] = { serve.targets };
  size_t count = 1;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (part_of(all[i]).bytes) targets[count++] = all[i];
  }
  put(request->requestor, request->property, XA_ATOM, 32, targets, count);
}

static bool begin_transfer(const XSelectionRequestEvent *request, Atom type, struct clipboard_part part) {
  if (serve.count == TRANSFERS_MAX) return false;
  long size = (long)part.size;
  XSelectInput(serve.display, request->requestor, PropertyChangeMask);
  serve.transfers[serve.count++] = (struct transfer){
    .requestor = request->requestor,
    .property = request->property,
    .type = type,
    .part = part,
    .deadline = now_us() + PATIENCE_US,
  };
  put(request->requestor, request->property, serve.incremental, 32, &size, 1);
  return true;
}

/* Whether the request could be served. The text is UTF-8 whichever target is requested. */
static bool answer(const XSelectionRequestEvent *request) {
  if (!serve.bytes || request->property == None) return false;
  if (request->target == serve.targets) {
    put_targets(request);
    return true;
  }
  struct clipboard_part part = part_of(request->target);
  if (!part.bytes) return false;
  Atom type = request->target == serve.text_type ? serve.utf8 : request->target;
  if (part.size > CHUNK_BYTES) return begin_transfer(request, type, part);
  put(request->requestor, request->property, type, 8, part.bytes, part.size);
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
  size_t rest = transfer->part.size - transfer->sent;
  size_t size = rest < CHUNK_BYTES ? rest : CHUNK_BYTES;
  put(transfer->requestor, transfer->property, transfer->type, 8, transfer->part.bytes + transfer->sent, size);
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
