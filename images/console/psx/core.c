/* The libretro core for the ps1. It wraps Debian's beetle-psx, with a setting that RetroArch does not offer, the
 * BIOS's start skipped or hidden, pictures that end within a field, and discs that can be changed. Written for this
 * project. */
#include "core.h"
#include "boot.h"
#include "disc.h"
#include "field.h"
#include "libretro.h"
#include "option.h"
#include "skip.h"
#include "state.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))
/* Frames emulated per requested frame while the BIOS starts: few enough to keep answering commands, and enough for the
 * program to be loaded within the ten frames that a paused game gets after a reset. */
enum { FRAMES_AT_ONCE = 64 };
/* How often the memory is searched for pictures that end too late, in frames: each search takes a fraction of one. */
enum { FRAMES_PER_SEARCH = 8 };
/* src/agent/console/discs.ts */
enum { DISC_PORT = 55356 };

static void *beetle;
static environment_t environment;
static video_t video;
static sample_t sample;
static batch_t batch;
static bool is_hidden;
/* Whether a start has just begun, whose shell can be skipped. */
static bool is_at_shell;
static unsigned frame;

/* A function of the wrapped core; without it, nothing works. */
static void *of(const char *name) {
  if (beetle == NULL) beetle = dlopen(BEETLE, RTLD_NOW | RTLD_LOCAL);
  void *found = beetle == NULL ? NULL : dlsym(beetle, name);
  if (found == NULL) {
    fprintf(stderr, "[psx] %s\n", dlerror());
    exit(1);
  }
  return found;
}

typedef size_t size_function(void);
typedef size_t memory_size_function(unsigned);

/* The wrapped core's function of the same name, cast to the given type. */
#define BEETLE_HAS(type) ((type)of(__func__))

static bool answer(unsigned what, void *data) {
  if (what == SET_DISK_CONTROL || what == SET_DISK_CONTROL_EXT) disc_control(data);
  if (what == GET_VARIABLE && option_answer(data)) return true;
  return environment(what, data);
}

static void show(const void *picture, unsigned width, unsigned height, size_t pitch) {
  if (!is_hidden) video(picture, width, height, pitch);
}
static void play_one(int16_t left, int16_t right) {
  if (!is_hidden) sample(left, right);
}
static size_t play(const int16_t *samples, size_t count) { return is_hidden ? count : batch(samples, count); }

EXPORT unsigned retro_api_version(void) { return BEETLE_HAS(unsigned (*)(void))(); }
EXPORT void retro_init(void) { BEETLE_HAS(void (*)(void))(); }
EXPORT void retro_deinit(void) { BEETLE_HAS(void (*)(void))(); }
EXPORT void retro_get_system_info(void *info) { BEETLE_HAS(void (*)(void *))(info); }
EXPORT void retro_get_system_av_info(void *info) { BEETLE_HAS(void (*)(void *))(info); }
EXPORT void retro_set_environment(environment_t callback) {
  environment = callback;
  BEETLE_HAS(void (*)(environment_t))(answer);
}
EXPORT void retro_set_video_refresh(video_t callback) {
  video = callback;
  BEETLE_HAS(void (*)(video_t))(show);
}
EXPORT void retro_set_audio_sample(sample_t callback) {
  sample = callback;
  BEETLE_HAS(void (*)(sample_t))(play_one);
}
EXPORT void retro_set_audio_sample_batch(batch_t callback) {
  batch = callback;
  BEETLE_HAS(void (*)(batch_t))(play);
}
EXPORT void retro_set_input_poll(poll_t callback) { BEETLE_HAS(void (*)(poll_t))(callback); }
EXPORT void retro_set_input_state(state_t callback) { BEETLE_HAS(void (*)(state_t))(callback); }
EXPORT void retro_set_controller_port_device(unsigned port, unsigned device) {
  BEETLE_HAS(void (*)(unsigned, unsigned))(port, device);
}

static void *system_memory(void) { return ((void *(*)(unsigned))of("retro_get_memory_data"))(SYSTEM_RAM); }
static size_t system_size(void) { return ((memory_size_function *)of("retro_get_memory_size"))(SYSTEM_RAM); }
static size_t state_size(void) { return ((size_function *)of("retro_serialize_size"))(); }
static bool save_state(void *data, size_t size) {
  return ((bool (*)(void *, size_t))of("retro_serialize"))(data, size);
}
static bool load_state(const void *data, size_t size) {
  return ((bool (*)(const void *, size_t))of("retro_unserialize"))(data, size);
}
static bool is_pal(void) { return ((unsigned (*)(void))of("retro_get_region"))() == REGION_PAL; }

static void begin_start(void) {
  const char *system = NULL;
  if (!environment(GET_SYSTEM_DIRECTORY, &system)) system = NULL;
  if (boot_is_free(system)) boot_begin(system_memory(), system_size());
  is_at_shell = boot_is_starting();
}

EXPORT bool retro_load_game(const struct game *game) {
  bool is_loaded = BEETLE_HAS(bool (*)(const struct game *))(game);
  if (is_loaded && game != NULL) begin_start();
  disc_listen(DISC_PORT);
  return is_loaded;
}
EXPORT bool retro_load_game_special(unsigned type, const struct game *games, size_t count) {
  return BEETLE_HAS(bool (*)(unsigned, const struct game *, size_t))(type, games, count);
}
EXPORT void retro_unload_game(void) {
  boot_end();
  BEETLE_HAS(void (*)(void))();
}

EXPORT void retro_reset(void) {
  BEETLE_HAS(void (*)(void))();
  boot_again();
  is_at_shell = boot_is_starting();
}

static void mend_state(void) {
  size_t size = state_size();
  uint8_t *state = malloc(size);
  if (state != NULL && save_state(state, size) && field_mend_state(state, size, is_pal())) load_state(state, size);
  free(state);
}

static uint32_t program_counter(void) {
  size_t size = state_size();
  uint8_t *state = malloc(size);
  const uint8_t *found = NULL;
  if (state != NULL && save_state(state, size)) found = state_variable(state, size, "BACKED_PC", 4);
  uint32_t address = found == NULL ? 0 : read32(found);
  free(state);
  return address;
}

static void run_frame(void) {
  ((void (*)(void))of("retro_run"))();
  boot_frame(program_counter);
  if (++frame % FRAMES_PER_SEARCH != 0) return;
  uint8_t *memory = system_memory();
  if (memory != NULL && field_mend_program(memory, system_size(), is_pal())) mend_state();
}

/* Only now RetroArch has given all that belongs to the game, such as its memory cards. */
static void skip(void) {
  is_at_shell = false;
  disc_close_tray();
  if (skip_shell(is_pal(), disc_inside(), state_size(), load_state)) boot_skipped();
}

EXPORT void retro_run(void) {
  if (is_at_shell) skip();
  disc_frame(boot_is_starting());
  is_hidden = true;
  for (int i = 0; i < FRAMES_AT_ONCE && boot_is_starting(); i++) run_frame();
  is_hidden = false;
  if (!boot_is_starting()) run_frame();
}

EXPORT size_t retro_serialize_size(void) { return BEETLE_HAS(size_function *)(); }
EXPORT bool retro_serialize(void *data, size_t size) {
  disc_close_tray();
  return BEETLE_HAS(bool (*)(void *, size_t))(data, size);
}
EXPORT bool retro_unserialize(const void *data, size_t size) {
  disc_close_tray();
  bool is_done = BEETLE_HAS(bool (*)(const void *, size_t))(data, size);
  if (is_done) {
    boot_end();
    is_at_shell = false;
    disc_forget_wanted();
  }
  return is_done;
}
EXPORT void retro_cheat_reset(void) { BEETLE_HAS(void (*)(void))(); }
EXPORT void retro_cheat_set(unsigned index, bool on, const char *code) {
  BEETLE_HAS(void (*)(unsigned, bool, const char *))(index, on, code);
}
EXPORT unsigned retro_get_region(void) { return BEETLE_HAS(unsigned (*)(void))(); }
EXPORT void *retro_get_memory_data(unsigned id) { return BEETLE_HAS(void *(*)(unsigned))(id); }
EXPORT size_t retro_get_memory_size(unsigned id) { return BEETLE_HAS(memory_size_function *)(id); }
