#include "windows.h"

#include <X11/Xatom.h>
#include <stdint.h>

#include "out.h"
#include "wire.h"

static struct {
  Display *display;
  Atom list;
  unsigned long count;
} windows;

static unsigned long count_windows(void) {
  Atom type;
  int format;
  unsigned long items = 0, rest = 0;
  unsigned char *data = NULL;
  int status = XGetWindowProperty(windows.display, DefaultRootWindow(windows.display), windows.list, 0, 65535, False,
                                  XA_WINDOW, &type, &format, &items, &rest, &data);
  if (data) XFree(data);
  return status == Success && format == 32 && items <= 65535 ? items : 0;
}

static void send(void) {
  uint8_t head[3] = { MESSAGE_WINDOWS };
  put_u16(head + 1, (unsigned)windows.count);
  out_send(head, sizeof head, NULL, 0);
}

void windows_start(Display *display) {
  windows.display = display;
  windows.list = XInternAtom(display, "_NET_CLIENT_LIST", False);
  XSelectInput(display, DefaultRootWindow(display), PropertyChangeMask);
  windows.count = count_windows();
  send();
}

bool windows_event(const XEvent *event) {
  if (event->type != PropertyNotify || event->xproperty.atom != windows.list) return false;
  unsigned long count = count_windows();
  if (count != windows.count) {
    windows.count = count;
    send();
  }
  return true;
}
