/*
 * Captures and encodes the screen of $DISPLAY and the sound of $PULSE_SERVER, and plays viewers' input back to
 * them. Messages of docs/reference/protocol.md on stdin and stdout, each behind its length and user; a log on stderr.
 * It ends when stdin does, and fails when the X server goes.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "audio/audio.h"
#include "capture/shot.h"
#include "clipboard/clipboard.h"
#include "common/clock.h"
#include "common/log.h"
#include "desktop/cursor.h"
#include "desktop/resting-pointer.h"
#include "desktop/screen.h"
#include "desktop/window-list.h"
#include "desktop/windows.h"
#include "dispatch.h"
#include "encode/card.h"
#include "encode/hardware.h"
#include "input/keyboard.h"
#include "input/pointer.h"
#include "video/video.h"
#include "wire/in.h"
#include "wire/out.h"

enum { X_SERVER, INPUT, WAKE, OUTPUT, SOURCES };

static struct screen screen;
static struct video *video;

static void take_message(uint32_t user, const uint8_t *message, size_t size) {
  dispatch(video, user, message, size);
}

static void take_event(const XEvent *event) {
  if (video_event(video, event) || cursor_event(event) || windows_event(event) || clipboard_event(event)) return;
  if (event->type == MappingNotify) {
    XMappingEvent mapping = event->xmapping;
    XRefreshKeyboardMapping(&mapping);
  }
}

static void take_events(void) {
  XEvent event;
  while (XPending(screen.display) > 0) {
    XNextEvent(screen.display, &event);
    take_event(&event);
  }
}

static int64_t next_deadline(void) {
  int64_t deadlines[] = { video_deadline(video), keyboard_deadline(),    clipboard_deadline(),
                          windows_deadline(),    window_list_deadline(), shot_deadline() };
  int64_t next = NEVER;
  for (size_t i = 0; i < sizeof deadlines / sizeof *deadlines; i++) {
    if (deadlines[i] < next) next = deadlines[i];
  }
  return next;
}

/* Sleeps until an event arrives or something is due. */
static void wait(struct pollfd *sources) {
  int64_t deadline = next_deadline(), left = 0;
  if (deadline != NEVER && deadline > now_us()) left = deadline - now_us();
  struct timespec timeout = { .tv_sec = left / 1000000, .tv_nsec = left % 1000000 * 1000 };
  sources[OUTPUT].fd = out_pending() ? STDOUT_FILENO : -1;
  if (ppoll(sources, SOURCES, deadline == NEVER ? NULL : &timeout, NULL) < 0) {
    for (int i = 0; i < SOURCES; i++) sources[i].revents = 0;
  }
}

static bool serve(struct pollfd *sources) {
  uint64_t wakes;
  if (sources[WAKE].revents && read(sources[WAKE].fd, &wakes, sizeof wakes) < 0) return true;
  if (!out_flush()) return false;
  if (sources[INPUT].revents && !in_read(take_message)) return false;
  take_events();
  clipboard_run();
  keyboard_run();
  windows_run();
  window_list_run();
  cursor_run();
  video_run(video);
  shot_run();
  /* Waiting for captures may have read events into Xlib's queue, which the socket no longer signals. */
  take_events();
  return true;
}

/* The program is there in images that were built for a graphics card. */
static void try_card(void) {
  static char *const command[] = { "/usr/local/bin/berth-encoder", NULL };
  if (!card_is_there("/dev/dri", "/dev/nvidiactl")) return;
  if (access(command[0], X_OK) == 0) hardware_start(command);
  else hardware_refuse("The image has no encoder for graphics cards: build the images with BERTH_GPU set.");
}

static bool start(int wake_fd) {
  out_start(wake_fd);
  in_start();
  try_card();
  if (!screen_open(&screen)) return false;
  if (!keyboard_start(screen.display)) return false;
  video = video_open(&screen);
  if (!video) return false;
  resting_pointer_start(&screen);
  pointer_start(&screen);
  cursor_start(screen.display);
  windows_start(screen.display);
  clipboard_start(screen.display);
  shot_start(&screen);
  return true;
}

static void stop(void) {
  audio_stop();
  keyboard_stop();
  pointer_release(0);
  clipboard_stop();
  video_close(video);
  hardware_stop();
  shot_stop();
  XCloseDisplay(screen.display);
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  int wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_fd < 0 || !start(wake_fd)) {
    log_line("cannot start");
    return EXIT_FAILURE;
  }
  struct pollfd sources[SOURCES] = {
    [X_SERVER] = { .fd = ConnectionNumber(screen.display), .events = POLLIN },
    [INPUT] = { .fd = STDIN_FILENO, .events = POLLIN },
    [WAKE] = { .fd = wake_fd, .events = POLLIN },
    [OUTPUT] = { .fd = -1, .events = POLLOUT },
  };
  /* The initial state. */
  take_events();
  cursor_run();
  video_announce();
  do wait(sources);
  while (serve(sources));
  stop();
  return EXIT_SUCCESS;
}
