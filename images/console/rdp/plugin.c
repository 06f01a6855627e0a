/* A video plugin for mupen64plus: RDP command lists are drawn into the machine's memory, and the picture there is
 * shown, whoever has drawn it. Lists of the usual microcodes go to another plugin, which draws them faster. */
#define M64P_PLUGIN_PROTOTYPES 1
#include <m64p_common.h>
#include <m64p_plugin.h>
#include <m64p_types.h>
#include <string.h>
#include "boot.h"
#include "hle.h"
#include "rdp.h"
#include "screen.h"
#include "vi.h"

enum { VERSION = 0x010000, VIDEO_API = 0x020200, SMALLEST_MEMORY = 0x400000, LARGEST_MEMORY = 0x800000 };
enum { STATUS_XBUS = 1, INTERRUPT_RDP = 0x20, RSP_HALTED = 1, DMEM_MASK = 0xfff };

static m64p_dynlib_handle core;
static GFX_INFO machine;
static struct rdp rdp;
static struct vi_picture pictures[2];
static int shown;
static bool was_empty = true;
/* The processor has handed over a list that asks for no interrupt. */
static bool is_quiet;

EXPORT m64p_error CALL PluginStartup(m64p_dynlib_handle handle, void *context,
                                     void (*debug)(void *, int, const char *)) {
  (void)context;
  (void)debug;
  core = handle;
  return screen_use_core(handle) && boot_use_core(handle) ? M64ERR_SUCCESS : M64ERR_INCOMPATIBLE;
}

EXPORT m64p_error CALL PluginShutdown(void) { return M64ERR_SUCCESS; }

EXPORT m64p_error CALL PluginGetVersion(m64p_plugin_type *type, int *version, int *api, const char **name,
                                        int *capabilities) {
  if (type) *type = M64PLUGIN_GFX;
  if (version) *version = VERSION;
  if (api) *api = VIDEO_API;
  if (name) *name = "RDP in software";
  if (capabilities) *capabilities = 0;
  return M64ERR_SUCCESS;
}

EXPORT int CALL InitiateGFX(GFX_INFO info) {
  machine = info;
  hle_prepare(core, &info);
  return 1;
}

EXPORT int CALL RomOpen(void) {
  memset(&rdp, 0, sizeof rdp);
  uint32_t size = machine.version >= 2 && machine.RDRAM_SIZE != NULL ? *machine.RDRAM_SIZE : LARGEST_MEMORY;
  rdp.memory = (struct memory){ machine.RDRAM, size < SMALLEST_MEMORY ? SMALLEST_MEMORY : size };
  boot_keep_memory((uint32_t *)machine.HEADER);
  return 1;
}

EXPORT void CALL RomClosed(void) {
  if (hle_is_on()) hle_stop();
  else screen_close();
}

EXPORT void CALL ProcessRDPList(void) {
  uint32_t at = *machine.DPC_CURRENT_REG & 0xfffff8, end = *machine.DPC_END_REG & 0xfffff8;
  bool is_dmem = *machine.DPC_STATUS_REG & STATUS_XBUS;
  for (; at < end; at += 4) {
    uint32_t word;
    if (is_dmem) memcpy(&word, machine.DMEM + (at & DMEM_MASK), sizeof word);
    else word = memory_read32(&rdp.memory, at);
    rdp_words(&rdp, &word, 1);
  }
  // RSP programs write more than the hardware's 24 bits of an address, and the emulator of the RSP compares all of
  // them.
  *machine.DPC_START_REG = *machine.DPC_CURRENT_REG = *machine.DPC_END_REG = end;
  bool is_pending = *machine.MI_INTR_REG & INTERRUPT_RDP, is_of_processor = *machine.SP_STATUS_REG & RSP_HALTED;
  is_quiet = !rdp.is_done && (is_pending ? is_quiet : is_of_processor);
  if (!rdp.is_done) return;
  rdp.is_done = false;
  *machine.MI_INTR_REG |= INTERRUPT_RDP;
  machine.CheckInterrupts();
}

/* The emulator raises the RDP's interrupt after each list of the processor, the hardware only if the list asks for it.
 * Called by the RSP's plugin before the RSP runs, since nothing calls this one between the list and its interrupt. */
EXPORT void CALL DropInterrupt(void) {
  if (!is_quiet) return;
  is_quiet = false;
  *machine.MI_INTR_REG &= ~(unsigned)INTERRUPT_RDP;
  machine.CheckInterrupts();
}

/* Calls a function of the other plugin, if it has it. */
static void forward(const char *name) {
  void (*function)(void) = (void (*)(void))hle_function(name);
  hle_mask();
  if (function != NULL) function();
}

EXPORT void CALL ProcessDList(void) {
  if (!hle_is_on()) {
    screen_close();
    if (!hle_start()) return;
  }
  forward("ProcessDList");
}

/* An unchanged picture is not shown again. */
static bool has_changed(const struct vi_picture *now, const struct vi_picture *before) {
  return now->width != before->width || now->height != before->height || now->left != before->left ||
         now->top != before->top || now->right != before->right || now->bottom != before->bottom ||
         memcmp(now->pixels, before->pixels, (size_t)(now->width * now->height) * sizeof *now->pixels) != 0;
}

EXPORT void CALL UpdateScreen(void) {
  if (hle_is_on()) {
    forward("UpdateScreen");
    return;
  }
  struct vi_registers registers = {
    *machine.VI_STATUS_REG,  *machine.VI_ORIGIN_REG,  *machine.VI_WIDTH_REG,   *machine.VI_V_SYNC_REG,
    *machine.VI_H_START_REG, *machine.VI_V_START_REG, *machine.VI_X_SCALE_REG, *machine.VI_Y_SCALE_REG,
  };
  struct vi_picture *now = &pictures[!shown];
  bool is_empty = !vi_fetch(&rdp.memory, &registers, now);
  if (is_empty && was_empty) return;
  if (is_empty) screen_show(NULL);
  else if (was_empty || has_changed(now, &pictures[shown])) {
    screen_show(now);
    shown = !shown;
  }
  was_empty = is_empty;
}

EXPORT void CALL SetRenderingCallback(void (*callback)(int)) { screen_set_callback(callback); }

/* Required by the plugin interface. */
EXPORT void CALL ShowCFB(void) { UpdateScreen(); }
EXPORT void CALL ViStatusChanged(void) {
  boot_count_lines(*machine.VI_INTR_REG);
  if (hle_is_on()) forward("ViStatusChanged");
}
EXPORT void CALL ViWidthChanged(void) {
  if (hle_is_on()) forward("ViWidthChanged");
}
EXPORT void CALL ChangeWindow(void) {}
EXPORT void CALL MoveScreen(int x, int y) {
  (void)x;
  (void)y;
}
EXPORT void CALL ResizeVideoOutput(int width, int height) {
  (void)width;
  (void)height;
}
EXPORT void CALL ReadScreen2(void *to, int *width, int *height, int front) {
  (void)to;
  (void)front;
  if (width) *width = 0;
  if (height) *height = 0;
}
EXPORT void CALL FBRead(unsigned int address) { (void)address; }
EXPORT void CALL FBWrite(unsigned int address, unsigned int size) {
  (void)address;
  (void)size;
}
EXPORT void CALL FBGetFrameBufferInfo(void *info) { (void)info; }
