/* An RSP plugin for mupen64plus that uses two others: tasks of the usual libraries are emulated at a high level, which
 * is fast, and all others instruction by instruction. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#define M64P_PLUGIN_PROTOTYPES 1
#include <m64p_common.h>
#include <m64p_plugin.h>
#include "task.h"

enum { VERSION = 0x010000, RSP_API = 0x020000, HALTED = 1, MEMORY_SIZE = 0x800000 };

struct plugin {
  const char *file;
  void *handle;
  ptr_DoRspCycles cycles;
};

static struct plugin fast = { .file = "mupen64plus-rsp-hle.so" }, exact = { .file = "mupen64plus-rsp-z64.so" };
static RSP_INFO machine;
/* It has started a task that is not finished. */
static struct plugin *busy;

static void say(void *context, int level, const char *message) {
  (void)context;
  if (level <= M64MSG_WARNING) fprintf(stderr, "rsp: %s\n", message);
}

/* They are in the same folder as this plugin. */
static bool load(struct plugin *plugin, m64p_dynlib_handle core) {
  Dl_info here;
  char path[PATH_MAX];
  if (!dladdr((void *)&busy, &here) || strlen(here.dli_fname) + strlen(plugin->file) >= sizeof path) return false;
  strcpy(path, here.dli_fname);
  char *slash = strrchr(path, '/');
  strcpy(slash == NULL ? path : slash + 1, plugin->file);
  plugin->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin->handle == NULL) return false;
  ptr_PluginStartup start_up = (ptr_PluginStartup)dlsym(plugin->handle, "PluginStartup");
  plugin->cycles = (ptr_DoRspCycles)dlsym(plugin->handle, "DoRspCycles");
  return plugin->cycles != NULL && start_up != NULL && start_up(core, NULL, say) == M64ERR_SUCCESS;
}

EXPORT m64p_error CALL PluginStartup(m64p_dynlib_handle core, void *context, void (*debug)(void *, int, const char *)) {
  (void)context;
  (void)debug;
  return load(&fast, core) && load(&exact, core) ? M64ERR_SUCCESS : M64ERR_PLUGIN_FAIL;
}

static void shut_down(struct plugin *plugin) {
  ptr_PluginShutdown function = plugin->handle == NULL ? NULL : (ptr_PluginShutdown)dlsym(plugin->handle, "PluginShutdown");
  if (function != NULL) function();
}

EXPORT m64p_error CALL PluginShutdown(void) {
  shut_down(&fast);
  shut_down(&exact);
  return M64ERR_SUCCESS;
}

EXPORT m64p_error CALL PluginGetVersion(m64p_plugin_type *type, int *version, int *api, const char **name, int *capabilities) {
  if (type) *type = M64PLUGIN_RSP;
  if (version) *version = VERSION;
  if (api) *api = RSP_API;
  if (name) *name = "RSP by task";
  if (capabilities) *capabilities = 0;
  return M64ERR_SUCCESS;
}

static void initiate(const struct plugin *plugin, RSP_INFO info, unsigned int *cycles) {
  ptr_InitiateRSP function = (ptr_InitiateRSP)dlsym(plugin->handle, "InitiateRSP");
  if (function != NULL) function(info, cycles);
}

EXPORT void CALL InitiateRSP(RSP_INFO info, unsigned int *cycles) {
  machine = info;
  busy = NULL;
  initiate(&fast, info, cycles);
  initiate(&exact, info, cycles);
}

EXPORT unsigned int CALL DoRspCycles(unsigned int cycles) {
  struct plugin *plugin = busy;
  if (plugin == NULL) {
    plugin = task_of(machine.DMEM, machine.IMEM, machine.RDRAM, MEMORY_SIZE) == TASK_USUAL ? &fast : &exact;
  }
  cycles = plugin->cycles(cycles);
  busy = *machine.SP_STATUS_REG & HALTED ? NULL : plugin;
  return cycles;
}

static void close_rom(const struct plugin *plugin) {
  ptr_RomClosed function = (ptr_RomClosed)dlsym(plugin->handle, "RomClosed");
  if (function != NULL) function();
}

EXPORT void CALL RomClosed(void) {
  close_rom(&fast);
  close_rom(&exact);
}
