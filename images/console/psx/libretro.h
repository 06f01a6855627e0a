/* The part of libretro's API that the ps1 core needs; see
 * https://docs.libretro.com/development/cores/developing-cores/ */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  GET_SYSTEM_DIRECTORY = 9,
  SET_PIXEL_FORMAT = 10,
  SET_DISK_CONTROL = 13,
  GET_VARIABLE = 15,
  GET_SAVE_DIRECTORY = 31,
  SET_DISK_CONTROL_EXT = 58,
  SYSTEM_RAM = 2,
  REGION_PAL = 1,
};

struct variable {
  const char *key, *value;
};
struct game {
  const char *path;
  const void *data;
  size_t size;
  const char *meta;
};

typedef bool (*environment_t)(unsigned, void *);
typedef void (*video_t)(const void *, unsigned, unsigned, size_t);
typedef void (*sample_t)(int16_t, int16_t);
typedef size_t (*batch_t)(const int16_t *, size_t);
typedef void (*poll_t)(void);
typedef int16_t (*state_t)(unsigned, unsigned, unsigned, unsigned);
