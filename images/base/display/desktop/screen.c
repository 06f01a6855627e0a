#include "desktop/screen.h"

#include <X11/extensions/XShm.h>
#include <X11/extensions/XTest.h>
#include <X11/extensions/Xdamage.h>
#include <X11/extensions/Xfixes.h>
#include <X11/extensions/Xrandr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"

enum { SCREEN_MIN = 16, REFRESH_HZ = 60, DOTS_PER_INCH = 96 };

/* Other clients' windows may disappear while being queried: that must not end the helper. */
static int ignore_error(Display *display, XErrorEvent *event) {
  char text[128];
  XGetErrorText(display, event->error_code, text, sizeof text);
  log_line("X request %d.%d: %s", event->request_code, event->minor_code, text);
  return 0;
}

static int lost_server(Display *display) {
  (void)display;
  log_line("the X server is gone");
  _Exit(1);
}

static bool has_extensions(Display *display) {
  int event, error, major = 2, minor = 0;
  if (!XShmQueryExtension(display)) return false;
  if (!XTestQueryExtension(display, &event, &error, &major, &minor)) return false;
  if (!XDamageQueryExtension(display, &event, &error)) return false;
  XDamageQueryVersion(display, &major, &minor);
  if (!XFixesQueryExtension(display, &event, &error)) return false;
  XFixesQueryVersion(display, &major, &minor);
  return XRRQueryExtension(display, &event, &error);
}

bool screen_open(struct screen *screen) {
  XSetErrorHandler(ignore_error);
  XSetIOErrorHandler(lost_server);
  screen->display = XOpenDisplay(NULL);
  if (!screen->display) {
    log_line("cannot open the display %s", XDisplayName(NULL));
    return false;
  }
  if (!has_extensions(screen->display)) {
    log_line("the X server lacks MIT-SHM, XTEST, DAMAGE, XFIXES or RANDR");
    return false;
  }
  int min_width, min_height;
  screen->root = DefaultRootWindow(screen->display);
  screen->width = DisplayWidth(screen->display, DefaultScreen(screen->display));
  screen->height = DisplayHeight(screen->display, DefaultScreen(screen->display));
  if (!XRRGetScreenSizeRange(screen->display, screen->root, &min_width, &min_height, &screen->max_width,
                             &screen->max_height)) {
    return false;
  }
  screen->frame_buffer = frame_buffer_attach(screen->display, screen->max_width, screen->max_height);
  if (!screen->frame_buffer.pixels) log_line("the frame buffer is not shared: the screen is copied");
  /* Viewers draw the pointer themselves. */
  XFixesHideCursor(screen->display, screen->root);
  return true;
}

static RRMode make_mode(struct screen *screen, int width, int height) {
  char name[32];
  snprintf(name, sizeof name, "%dx%d", width, height);
  XRRModeInfo mode = {
    .width = (unsigned)width,
    .height = (unsigned)height,
    .dotClock = (unsigned long)width * (unsigned)height * REFRESH_HZ,
    .hTotal = (unsigned)width,
    .vTotal = (unsigned)height,
    .name = name,
    .nameLength = (unsigned)strlen(name),
  };
  return XRRCreateMode(screen->display, screen->root, &mode);
}

static RRMode find_mode(const XRRScreenResources *resources, int width, int height) {
  for (int i = 0; i < resources->nmode; i++) {
    const XRRModeInfo *mode = &resources->modes[i];
    if (mode->width == (unsigned)width && mode->height == (unsigned)height) return mode->id;
  }
  return None;
}

static void drop_mode(struct screen *screen, RROutput output, RRMode mode) {
  XRRDeleteOutputMode(screen->display, output, mode);
  XRRDestroyMode(screen->display, mode);
}

/* The server is grabbed so that clients see the monitor (the CRTC's mode) and the screen change atomically. */
static void apply(struct screen *screen, XRRScreenResources *resources, int width, int height) {
  Display *display = screen->display;
  RRCrtc crtc = resources->crtcs[0];
  RROutput output = resources->outputs[0];
  RRMode known = find_mode(resources, width, height);
  RRMode mode = known != None ? known : make_mode(screen, width, height);
  XRRAddOutputMode(display, output, mode);
  XGrabServer(display);
  XRRSetCrtcConfig(display, resources, crtc, CurrentTime, 0, 0, None, RR_Rotate_0, NULL, 0);
  XRRSetScreenSize(display, screen->root, width, height, width * 254 / (DOTS_PER_INCH * 10),
                   height * 254 / (DOTS_PER_INCH * 10));
  XRRSetCrtcConfig(display, resources, crtc, CurrentTime, 0, 0, mode, RR_Rotate_0, &output, 1);
  XUngrabServer(display);
  if (screen->mode != None) drop_mode(screen, output, screen->mode);
  screen->mode = known != None ? None : mode;
  XSync(display, False);
}

bool screen_resize(struct screen *screen, int width, int height) {
  if (width < SCREEN_MIN) width = SCREEN_MIN;
  if (height < SCREEN_MIN) height = SCREEN_MIN;
  if (width > screen->max_width) width = screen->max_width;
  if (height > screen->max_height) height = screen->max_height;
  if (width == screen->width && height == screen->height) return false;
  XRRScreenResources *resources = XRRGetScreenResourcesCurrent(screen->display, screen->root);
  if (!resources) return false;
  bool possible = resources->ncrtc > 0 && resources->noutput > 0;
  if (possible) {
    apply(screen, resources, width, height);
    screen->width = width;
    screen->height = height;
    frame_buffer_trim(&screen->frame_buffer, width, height);
  }
  XRRFreeScreenResources(resources);
  return possible;
}
