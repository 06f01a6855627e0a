/* While the image is built: starts a disc with the emulator and writes the state of the console at the last frame in
 * which OpenBIOS's shell runs: from then on the BIOS reads the disc's files. Arguments: the disc, and the file for the
 * state. */
#include "boot.h"
#include "core.h"
#include "libretro.h"
#include "option.h"
#include "state.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The shell takes some 350 frames, and its code this much memory. */
enum { MOST_FRAMES = 1200, SHELL_CODE = 0x10000 };
/* What the agent plugs in for each player (src/agent/console/retroarch.ts). */
enum { PLAYERS = 4, PAD = 517 };

static void *beetle;

static void fail(const char *why) {
  fprintf(stderr, "keep-shell: %s\n", why);
  exit(1);
}

static void *of(const char *name) {
  void *found = dlsym(beetle, name);
  if (found == NULL) fail(dlerror());
  return found;
}

static bool answer(unsigned what, void *data) {
  if (what == SET_PIXEL_FORMAT) return true;
  if (what == GET_VARIABLE) return option_answer(data);
  if (what != GET_SYSTEM_DIRECTORY && what != GET_SAVE_DIRECTORY) return false;
  *(const char **)data = "/nonexistent";
  return true;
}
static void show(const void *picture, unsigned width, unsigned height, size_t pitch) {
  (void)picture, (void)width, (void)height, (void)pitch;
}
static void play_one(int16_t left, int16_t right) { (void)left, (void)right; }
static size_t play(const int16_t *samples, size_t count) {
  (void)samples;
  return count;
}
static void poll_pads(void) {}
static int16_t pressed(unsigned port, unsigned device, unsigned index, unsigned id) {
  (void)port, (void)device, (void)index, (void)id;
  return 0;
}

static void start(const char *path) {
  beetle = dlopen(BEETLE, RTLD_NOW | RTLD_LOCAL);
  if (beetle == NULL) fail(dlerror());
  ((void (*)(environment_t))of("retro_set_environment"))(answer);
  ((void (*)(video_t))of("retro_set_video_refresh"))(show);
  ((void (*)(sample_t))of("retro_set_audio_sample"))(play_one);
  ((void (*)(batch_t))of("retro_set_audio_sample_batch"))(play);
  ((void (*)(poll_t))of("retro_set_input_poll"))(poll_pads);
  ((void (*)(state_t))of("retro_set_input_state"))(pressed);
  ((void (*)(void))of("retro_init"))();
  struct game game = { .path = path };
  if (!((bool (*)(const struct game *))of("retro_load_game"))(&game)) fail("the disc cannot be loaded");
  for (unsigned player = 0; player < PLAYERS; player++)
    ((void (*)(unsigned, unsigned))of("retro_set_controller_port_device"))(player, PAD);
}

static bool has_shell(const uint8_t *memory) {
  static const uint8_t none[SHELL_BYTES];
  return memcmp(memory + SHELL, none, SHELL_BYTES) != 0;
}

/* Whether the CPU is in the shell in this state. */
static bool is_in_shell(uint8_t *state, size_t size) {
  const uint8_t *counter = state_variable(state, size, "BACKED_PC", 4);
  if (counter == NULL) fail("the state does not tell where the CPU is");
  uint32_t address = read32(counter) & ADDRESS_MASK;
  return address >= SHELL && address < SHELL + SHELL_CODE;
}

/* The state at the last frame in which the shell runs. */
static uint8_t *last_state(size_t size) {
  const uint8_t *memory = ((void *(*)(unsigned))of("retro_get_memory_data"))(SYSTEM_RAM);
  uint8_t *last = malloc(size), *next = malloc(size);
  bool is_kept = false;
  if (last == NULL || next == NULL) fail("there is too little memory");
  for (int frame = 0; frame < MOST_FRAMES; frame++) {
    ((void (*)(void))of("retro_run"))();
    if (is_kept && !has_shell(memory)) return last;
    if (!((bool (*)(void *, size_t))of("retro_serialize"))(next, size)) fail("there is no state");
    if (!has_shell(memory) || !is_in_shell(next, size)) continue;
    uint8_t *spare = last;
    last = next;
    next = spare;
    is_kept = true;
  }
  fail("the BIOS's shell does not end");
  return NULL;
}

int main(int count, char **arguments) {
  if (count != 3) fail("usage: keep-shell DISC STATE");
  start(arguments[1]);
  size_t size = ((size_t(*)(void))of("retro_serialize_size"))();
  uint8_t *state = last_state(size);
  /* A state with the contents of memory cards would overwrite those of the game. */
  if (memmem(state, size, "_DT", 3) != NULL) fail("the state has a memory card");
  while (size > 0 && state[size - 1] == 0) size--;
  FILE *file = fopen(arguments[2], "wb");
  if (file == NULL || fwrite(state, size, 1, file) != 1 || fclose(file) != 0) fail("the state cannot be written");
  return 0;
}
