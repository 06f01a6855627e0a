#include "desktop/window-list.h"

#include <stdbool.h>
#include <string.h>

#include "common/clock.h"
#include "desktop/manager.h"
#include "wire/from-helper.h"
#include "wire/out.h"

/* Pages choose their titles and may change them all the time. */
static const int64_t INTERVAL_US = 200000;

struct entry {
  struct window_message message;
  size_t title_size;
  char title[WINDOW_TITLE_MAX_BYTES];
};

struct list {
  struct entry entries[WINDOWS_MAX];
  uint8_t count;
};

static struct {
  /* The one that was sent, and the one that is read: all bytes of them are compared. */
  struct list lists[2];
  int sent;
  bool is_sent, is_changed;
  int64_t read_at;
} state;

static bool read_entry(Window window, Window active, struct entry *entry) {
  struct managed_window now;
  if (!manager_read(window, &now)) return false;
  struct window_message *message = &entry->message;
  message->id = (uint32_t)window;
  message->kind = (uint8_t)now.kind;
  message->active = window == active;
  message->x = (int16_t)now.outer.x;
  message->y = (int16_t)now.outer.y;
  message->width = (uint16_t)now.outer.width;
  message->height = (uint16_t)now.outer.height;
  entry->title_size = manager_title(window, entry->title, sizeof entry->title);
  /* Bytes of a character that was cut. */
  memset(entry->title + entry->title_size, 0, sizeof entry->title - entry->title_size);
  return true;
}

static void read_list(struct list *list) {
  unsigned long count;
  Window *all = manager_windows(&count), active = manager_active();
  memset(list, 0, sizeof *list);
  for (unsigned long i = 0; i < count && list->count < WINDOWS_MAX; i++) {
    if (read_entry(all[i], active, &list->entries[list->count])) list->count++;
  }
  if (all) XFree(all);
}

static void send(struct window_message message, const struct entry *entry) {
  uint8_t head[WINDOW_BYTES];
  put_window(head, message);
  out_send(head, sizeof head, (const uint8_t *)entry->title, entry->title_size);
}

static void send_list(const struct list *list) {
  static const struct entry none;
  if (list->count == 0) send(none.message, &none);
  for (uint8_t i = 0; i < list->count; i++) {
    struct window_message message = list->entries[i].message;
    message.count = list->count;
    message.index = i;
    send(message, &list->entries[i]);
  }
}

void window_list_changed(void) {
  state.is_changed = true;
}

int64_t window_list_deadline(void) {
  return state.is_changed ? state.read_at + INTERVAL_US : NEVER;
}

void window_list_run(void) {
  if (now_us() < window_list_deadline()) return;
  state.is_changed = false;
  state.read_at = now_us();
  struct list *sent = &state.lists[state.sent], *now = &state.lists[!state.sent];
  read_list(now);
  if (state.is_sent && memcmp(now, sent, sizeof *now) == 0) return;
  send_list(now);
  state.sent = !state.sent;
  state.is_sent = true;
}

/* Only windows that the window manager has can be meant. */
static bool is_managed(uint32_t id) {
  unsigned long count;
  Window *all = manager_windows(&count);
  bool is_there = false;
  for (unsigned long i = 0; i < count; i++) is_there = is_there || all[i] == id;
  if (all) XFree(all);
  return is_there;
}

void window_list_activate(uint32_t id) {
  if (is_managed(id)) manager_activate(id);
}

void window_list_close(uint32_t id) {
  if (is_managed(id)) manager_close(id);
}

void window_list_place(uint32_t id, int x, int y, int width, int height) {
  if (is_managed(id)) manager_place(id, (struct bounds){ x, y, width, height });
}
