/* An RSP plugin for mupen64plus that uses two others: tasks of the usual libraries are emulated at a high level, which
 * is fast, and all others instruction by instruction. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#define M64P_PLUGIN_PROTOTYPES 1
#include <m64p_common.h>
#include <m64p_debugger.h>
#include <m64p_plugin.h>
#include "task.h"

enum { VERSION = 0x010000, RSP_API = 0x020000, MEMORY_SIZE = 0x800000 };
/* Flags of the RSP's status, those of the machine's interrupts, and the register that masks these. */
enum { HALTED = 1, INTERRUPT_ON_BREAK = 0x40, SIGNAL_1 = 0x100, SIGNAL_2 = 0x200 };
enum { INTERRUPT_RSP = 1, INTERRUPT_RDP = 0x20, MI_INTR_MASK = (int)0xa430000c };

struct plugin {
  const char *file;
  void *handle;
  ptr_DoRspCycles cycles;
};

static struct plugin fast = { .file = "mupen64plus-rsp-hle.so" }, exact = { .file = "mupen64plus-rsp-z64.so" };
static RSP_INFO machine;
static ptr_DebugMemWrite32 write_word;
/* The machine's flag INTERRUPT_ON_BREAK was set by this plugin. */
static bool is_flag_ours;
/* A function of the video plugin. */
static void (*drop_interrupt)(void);
/* It has started a task that is not finished. */
static struct plugin *busy;
/* The RSP has to wait until the processor has seen an interrupt. */
static bool is_waiting;

static void say(void *context, int level, const char *message) {
  (void)context;
  if (level <= M64MSG_WARNING) fprintf(stderr, "rsp: %s\n", message);
}

/* Opens a plugin in this one's folder. */
static void *open_plugin(const char *file, int flags) {
  Dl_info here;
  char path[PATH_MAX];
  if (!dladdr((void *)&busy, &here) || strlen(here.dli_fname) + strlen(file) >= sizeof path) return NULL;
  strcpy(path, here.dli_fname);
  char *slash = strrchr(path, '/');
  strcpy(slash == NULL ? path : slash + 1, file);
  return dlopen(path, RTLD_NOW | RTLD_LOCAL | flags);
}

static bool load(struct plugin *plugin, m64p_dynlib_handle core) {
  plugin->handle = open_plugin(plugin->file, 0);
  if (plugin->handle == NULL) return false;
  ptr_PluginStartup start_up = (ptr_PluginStartup)dlsym(plugin->handle, "PluginStartup");
  plugin->cycles = (ptr_DoRspCycles)dlsym(plugin->handle, "DoRspCycles");
  return plugin->cycles != NULL && start_up != NULL && start_up(core, NULL, say) == M64ERR_SUCCESS;
}

EXPORT m64p_error CALL PluginStartup(m64p_dynlib_handle core, void *context, void (*debug)(void *, int, const char *)) {
  (void)context;
  (void)debug;
  write_word = (ptr_DebugMemWrite32)dlsym(core, "DebugMemWrite32");
  return write_word != NULL && load(&fast, core) && load(&exact, core) ? M64ERR_SUCCESS : M64ERR_PLUGIN_FAIL;
}

static void shut_down(struct plugin *plugin) {
  ptr_PluginShutdown function =
      plugin->handle == NULL ? NULL : (ptr_PluginShutdown)dlsym(plugin->handle, "PluginShutdown");
  if (function != NULL) function();
}

EXPORT m64p_error CALL PluginShutdown(void) {
  shut_down(&fast);
  shut_down(&exact);
  return M64ERR_SUCCESS;
}

EXPORT m64p_error CALL PluginGetVersion(m64p_plugin_type *type, int *version, int *api, const char **name,
                                        int *capabilities) {
  if (type) *type = M64PLUGIN_RSP;
  if (version) *version = VERSION;
  if (api) *api = RSP_API;
  if (name) *name = "RSP by task";
  if (capabilities) *capabilities = 0;
  return M64ERR_SUCCESS;
}

/* libdragon's RSP program sets signal 1 before the end of a list, and waits before the next one until the processor has
 * cleared it, which it does when it gets the RDP's interrupt. Since the two do not run at the same time here, the RSP
 * is halted for that; when the processor clears the signal, the emulator lets it go on. */
static void process_list(void) {
  machine.ProcessRdpList();
  uint32_t status = *machine.SP_STATUS_REG;
  if (!(*machine.MI_INTR_REG & INTERRUPT_RDP) || (status & (HALTED | SIGNAL_1 | SIGNAL_2)) != SIGNAL_1) return;
  *machine.SP_STATUS_REG |= HALTED;
  is_waiting = true;
}

static void initiate(const struct plugin *plugin, RSP_INFO info, unsigned int *cycles) {
  ptr_InitiateRSP function = (ptr_InitiateRSP)dlsym(plugin->handle, "InitiateRSP");
  if (function != NULL) function(info, cycles);
}

EXPORT void CALL InitiateRSP(RSP_INFO info, unsigned int *cycles) {
  machine = info;
  busy = NULL;
  is_flag_ours = is_waiting = false;
  info.ProcessRdpList = process_list;
  initiate(&fast, info, cycles);
  initiate(&exact, info, cycles);
  void *video = open_plugin("mupen64plus-video-rdp.so", RTLD_NOLOAD);
  drop_interrupt = video == NULL ? NULL : (void (*)(void))dlsym(video, "DropInterrupt");
}

/* Has the emulator deliver what the RSP's program has asked for. The plugin that executes instructions ignores a
 * request for the RSP's own interrupt, but libdragon always sets signal 2 with it; and the emulator delivers that
 * interrupt only where one of a break would be. The RDP's is looked at only when the machine's mask is written (here:
 * with no change). */
static void deliver_interrupts(uint32_t status_before) {
  uint32_t status = *machine.SP_STATUS_REG;
  if (!(status & INTERRUPT_ON_BREAK) && status & ~status_before & SIGNAL_2) {
    *machine.MI_INTR_REG |= INTERRUPT_RSP;
    *machine.SP_STATUS_REG |= INTERRUPT_ON_BREAK;
    is_flag_ours = true;
  }
  // After graphics tasks the emulator does that itself.
  if (*machine.MI_INTR_REG & INTERRUPT_RDP && !task_is_graphics(machine.DMEM)) write_word(MI_INTR_MASK, 0);
}

EXPORT unsigned int CALL DoRspCycles(unsigned int cycles) {
  struct plugin *plugin = busy;
  if (drop_interrupt != NULL) drop_interrupt();
  if (is_flag_ours) *machine.SP_STATUS_REG &= ~(unsigned)INTERRUPT_ON_BREAK;
  is_flag_ours = false;
  if (plugin == NULL) {
    plugin = task_of(machine.DMEM, machine.IMEM, machine.RDRAM, MEMORY_SIZE) == TASK_USUAL ? &fast : &exact;
  }
  uint32_t status = *machine.SP_STATUS_REG;
  cycles = plugin->cycles(cycles);
  if (is_waiting) *machine.SP_STATUS_REG &= ~(unsigned)HALTED;
  is_waiting = false;
  deliver_interrupts(status);
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
