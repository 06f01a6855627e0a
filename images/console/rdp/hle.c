#include "hle.h"
#include <dlfcn.h>
#include <limits.h>
#include <m64p_common.h>
#include <stdio.h>
#include <string.h>

#define PLUGIN "mupen64plus-video-glide64mk2.so"
/* The hardware uses this many bits of an address in a register. The plugin uses all of it as an index into memory. */
#define ADDRESS_MASK 0xffffffu

static void *plugin;
static m64p_dynlib_handle core;
static GFX_INFO info;
static unsigned int *origin, masked_origin;

void hle_prepare(m64p_dynlib_handle handle, const GFX_INFO *machine) {
  core = handle;
  info = *machine;
  origin = machine->VI_ORIGIN_REG;
  info.VI_ORIGIN_REG = &masked_origin;
}

bool hle_is_on(void) { return plugin != NULL; }

void *hle_function(const char *name) { return plugin == NULL ? NULL : dlsym(plugin, name); }

void hle_mask(void) { masked_origin = *origin & ADDRESS_MASK; }

/* It is in the same folder as this plugin. */
static void *load(void) {
  Dl_info here;
  char path[PATH_MAX];
  if (!dladdr((void *)&hle_start, &here) || strlen(here.dli_fname) + sizeof PLUGIN > sizeof path) return NULL;
  strcpy(path, here.dli_fname);
  char *slash = strrchr(path, '/');
  strcpy(slash == NULL ? path : slash + 1, PLUGIN);
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void say_nothing(void *context, int level, const char *message) {
  (void)context;
  if (level <= M64MSG_WARNING) fprintf(stderr, "hle: %s\n", message);
}

bool hle_start(void) {
  if (plugin != NULL) return true;
  plugin = load();
  ptr_PluginStartup start_up = (ptr_PluginStartup)hle_function("PluginStartup");
  ptr_InitiateGFX initiate = (ptr_InitiateGFX)hle_function("InitiateGFX");
  ptr_RomOpen open = (ptr_RomOpen)hle_function("RomOpen");
  if (start_up != NULL && initiate != NULL && open != NULL) {
    hle_mask();
    if (start_up(core, NULL, say_nothing) == M64ERR_SUCCESS && initiate(info) && open()) return true;
  }
  if (plugin != NULL) dlclose(plugin);
  plugin = NULL;
  return false;
}

void hle_stop(void) {
  ptr_RomClosed close = (ptr_RomClosed)hle_function("RomClosed");
  ptr_PluginShutdown shut_down = (ptr_PluginShutdown)hle_function("PluginShutdown");
  if (close != NULL) close();
  if (shut_down != NULL) shut_down();
  plugin = NULL;
}
