#include <stdatomic.h>
#include <sys/socket.h>
#include "netpad.h"

/* RetroArch's devices and buttons (libretro.h). */
enum { DEVICE_BUTTON = 1, DEVICE_ANALOG = 5 };
enum { B, Y, SELECT, START, UP, DOWN, LEFT, RIGHT, A, X, L, R, L2, R2, L3, R3, BUTTONS_COUNT };
enum { LEFT_X, LEFT_Y, RIGHT_X, RIGHT_Y, AXES_COUNT };

enum { ALL_BUTTONS = (1 << BUTTONS_COUNT) - 1 };

/* The range of the console's stick, and the threshold at which a stick counts as a C button. */
enum { STICK_MAX = 80, C_BUTTON_AT = 16000 };

struct change {
  int32_t port, device, index, id;
  uint16_t state;
};
enum { CHANGE_BYTES = 18 };

/* The held buttons, and in the bits above them those that changed since the game last read them. */
static atomic_uint buttons[PLAYERS];
static atomic_short axes[PLAYERS][AXES_COUNT];

static void change_button(int player, int id, int down) {
  unsigned before = atomic_load(&buttons[player]), after;
  do {
    after = down ? before | 1u << id : before & ~(1u << id);
    if (after != before) after |= 1u << (BUTTONS_COUNT + id);
  } while (!atomic_compare_exchange_weak(&buttons[player], &before, after));
}

/* A press or release that is over before the game reads it is still reported once. */
static unsigned held_buttons(int player) {
  static unsigned shown[PLAYERS];
  unsigned state = atomic_fetch_and(&buttons[player], ALL_BUTTONS);
  unsigned held = state & ALL_BUTTONS, changed = state >> BUTTONS_COUNT;
  shown[player] = held ^ (changed & ~(held ^ shown[player]));
  return shown[player];
}

void pad_receive(int socket, int player) {
  struct change change;
  if (recv(socket, &change, sizeof change, 0) < CHANGE_BYTES) return;
  if (change.device == DEVICE_BUTTON && change.id >= 0 && change.id < BUTTONS_COUNT) {
    change_button(player, change.id, change.state != 0);
  } else if (change.device == DEVICE_ANALOG && change.index >= 0 && change.index < 2 && change.id >= 0 &&
             change.id < 2) {
    atomic_store(&axes[player][change.index * 2 + change.id], (short)change.state);
  }
}

static int stick(int value) { return value * STICK_MAX / INT16_MAX; }

void pad_read(int player, BUTTONS *keys) {
  unsigned held = held_buttons(player);
  int right_x = atomic_load(&axes[player][RIGHT_X]), right_y = atomic_load(&axes[player][RIGHT_Y]);
#define HELD(button) ((held >> (button)) & 1)
  keys->Value = 0;
  keys->A_BUTTON = HELD(B);
  keys->B_BUTTON = HELD(Y);
  keys->START_BUTTON = HELD(START);
  keys->U_DPAD = HELD(UP);
  keys->D_DPAD = HELD(DOWN);
  keys->L_DPAD = HELD(LEFT);
  keys->R_DPAD = HELD(RIGHT);
  keys->L_TRIG = HELD(L);
  keys->R_TRIG = HELD(R);
  keys->Z_TRIG = HELD(L2);
  keys->L_CBUTTON = right_x < -C_BUTTON_AT;
  keys->R_CBUTTON = HELD(A) || right_x > C_BUTTON_AT;
  keys->U_CBUTTON = HELD(X) || right_y < -C_BUTTON_AT;
  keys->D_CBUTTON = HELD(R2) || right_y > C_BUTTON_AT;
#undef HELD
  keys->X_AXIS = stick(atomic_load(&axes[player][LEFT_X]));
  keys->Y_AXIS = stick(-atomic_load(&axes[player][LEFT_Y]));
}
