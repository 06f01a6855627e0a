#include "desktop/manager.h"

#include <X11/Xatom.h>
#include <string.h>

/* Of a request: it is the user's, who may do everything. */
enum { PAGER = 2 };

static struct {
  Display *display;
  Window root;
  Atom list, stack, active, close, place, name, state, type, dialog, extents, role, utf8;
  Atom maximized_x, maximized_y, fullscreen, hidden;
} manager;

void manager_start(Display *display) {
  manager.display = display;
  manager.root = DefaultRootWindow(display);
  struct {
    const char *name;
    Atom *atom;
  } atoms[] = {
    { "_NET_CLIENT_LIST", &manager.list },
    { "_NET_CLIENT_LIST_STACKING", &manager.stack },
    { "_NET_ACTIVE_WINDOW", &manager.active },
    { "_NET_CLOSE_WINDOW", &manager.close },
    { "_NET_MOVERESIZE_WINDOW", &manager.place },
    { "_NET_WM_NAME", &manager.name },
    { "_NET_WM_STATE", &manager.state },
    { "_NET_WM_WINDOW_TYPE", &manager.type },
    { "_NET_WM_WINDOW_TYPE_DIALOG", &manager.dialog },
    { "_NET_FRAME_EXTENTS", &manager.extents },
    { "WM_WINDOW_ROLE", &manager.role },
    { "UTF8_STRING", &manager.utf8 },
    { "_NET_WM_STATE_MAXIMIZED_HORZ", &manager.maximized_x },
    { "_NET_WM_STATE_MAXIMIZED_VERT", &manager.maximized_y },
    { "_NET_WM_STATE_FULLSCREEN", &manager.fullscreen },
    { "_NET_WM_STATE_HIDDEN", &manager.hidden },
  };
  for (size_t i = 0; i < sizeof atoms / sizeof *atoms; i++) *atoms[i].atom = XInternAtom(display, atoms[i].name, False);
}

/* Up to `most` items of a property, and how many they are; 32-bit ones are longs. To be freed by XFree. */
static void *read_property(Window window, Atom property, Atom type, int format, long most, unsigned long *count) {
  Atom found;
  int found_format;
  unsigned long rest;
  unsigned char *data = NULL;
  int status = XGetWindowProperty(manager.display, window, property, 0, (most * format + 31) / 32, False, type, &found,
                                  &found_format, count, &rest, &data);
  if (status != Success || found_format != format) *count = 0;
  return data;
}

static Window last_window(Atom property) {
  unsigned long count;
  Window *all = read_property(manager.root, property, XA_WINDOW, 32, 65535, &count);
  Window last = count > 0 ? all[count - 1] : None;
  if (all) XFree(all);
  return last;
}

Window *manager_windows(unsigned long *count) {
  return read_property(manager.root, manager.list, XA_WINDOW, 32, 65535, count);
}

Window manager_topmost(void) {
  return last_window(manager.stack);
}

Window manager_active(void) {
  return last_window(manager.active);
}

Window manager_frame_of(Window window) {
  for (;;) {
    Window root, parent, *children = NULL;
    unsigned count;
    if (window == None || !XQueryTree(manager.display, window, &root, &parent, &children, &count)) return None;
    if (children) XFree(children);
    if (parent == root) return window;
    window = parent;
  }
}

/* Whether there is an atom in a property. */
static bool has_atom(Window window, Atom property, Atom atom) {
  unsigned long count;
  Atom *atoms = read_property(window, property, XA_ATOM, 32, 64, &count);
  bool has = false;
  for (unsigned long i = 0; i < count; i++) has = has || atoms[i] == atom;
  if (atoms) XFree(atoms);
  return has;
}

static bool has_role(Window window, const char *role) {
  unsigned long count;
  char *text = read_property(window, manager.role, XA_STRING, 8, 32, &count);
  bool has = count == strlen(role) && memcmp(text, role, count) == 0;
  if (text) XFree(text);
  return has;
}

/* Chromium's windows say by their role whether they have tabs. */
static enum window_kind kind_of(Window window) {
  if (has_atom(window, manager.type, manager.dialog)) return WINDOW_DIALOG;
  if (has_role(window, "browser")) return WINDOW_BROWSER;
  return has_role(window, "pop-up") ? WINDOW_POPUP : WINDOW_OTHER;
}

bool manager_read(Window window, struct managed_window *read) {
  Window child;
  XWindowAttributes size;
  int x, y;
  if (!XGetWindowAttributes(manager.display, window, &size)) return false;
  if (!XTranslateCoordinates(manager.display, window, manager.root, 0, 0, &x, &y, &child)) return false;
  unsigned long count;
  long *extents = read_property(window, manager.extents, XA_CARDINAL, 32, 4, &count);
  long none[] = { 0, 0, 0, 0 }, *edges = count == 4 ? extents : none;
  *read = (struct managed_window){
    .kind = kind_of(window),
    .left = (int)edges[0],
    .right = (int)edges[1],
    .top = (int)edges[2],
    .bottom = (int)edges[3],
  };
  if (extents) XFree(extents);
  read->outer = (struct bounds){
    .x = x - read->left,
    .y = y - read->top,
    .width = size.width + read->left + read->right,
    .height = size.height + read->top + read->bottom,
  };
  bool is_maximized =
      has_atom(window, manager.state, manager.maximized_x) && has_atom(window, manager.state, manager.maximized_y);
  read->is_free = !is_maximized && !has_atom(window, manager.state, manager.fullscreen) &&
                  !has_atom(window, manager.state, manager.hidden);
  return true;
}

size_t manager_title(Window window, char *title, size_t size) {
  unsigned long count;
  char *text = read_property(window, manager.name, manager.utf8, 8, (long)size, &count);
  size_t length = count < size ? count : size;
  if (length > 0) memcpy(title, text, length);
  if (text) XFree(text);
  if (length < size) return length;
  /* Without the part of a character that was cut. */
  while (length > 0 && (title[length - 1] & 0xc0) == 0x80) length--;
  return length > 0 && (title[length - 1] & 0x80) ? length - 1 : length;
}

static void ask(Window window, Atom request, const long *values) {
  XEvent event = {
    .xclient = { .type = ClientMessage, .window = window, .message_type = request, .format = 32 },
  };
  memcpy(event.xclient.data.l, values, 5 * sizeof *values);
  XSendEvent(manager.display, manager.root, False, SubstructureRedirectMask | SubstructureNotifyMask, &event);
  XFlush(manager.display);
}

void manager_activate(Window window) {
  ask(window, manager.active, (long[5]){ PAGER });
}

void manager_close(Window window) {
  ask(window, manager.close, (long[5]){ CurrentTime, PAGER });
}

/* Removes states of a window, two of them at a time. */
static void remove_states(Window window, Atom one, Atom other) {
  ask(window, manager.state, (long[5]){ 0, (long)one, (long)other, PAGER });
}

void manager_place(Window window, struct bounds outer) {
  struct managed_window now;
  if (!manager_read(window, &now)) return;
  if (!now.is_free) {
    remove_states(window, manager.maximized_x, manager.maximized_y);
    remove_states(window, manager.fullscreen, None);
    /* Its frame may come back. */
    XSync(manager.display, False);
  }
  enum { ALL_FOUR = 0xf << 8, SOURCE = PAGER << 12 };
  int width = outer.width - now.left - now.right, height = outer.height - now.top - now.bottom;
  long values[5] = { StaticGravity | ALL_FOUR | SOURCE, outer.x + now.left, outer.y + now.top, width > 1 ? width : 1,
                     height > 1 ? height : 1 };
  ask(window, manager.place, values);
}

bool manager_knows(Atom property) {
  return property == manager.name || property == manager.state || property == manager.extents ||
         property == manager.role || property == manager.type;
}
