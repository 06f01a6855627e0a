#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>
#define M64P_PLUGIN_PROTOTYPES 1
#include "netpad.h"
#include "m64p_common.h"
#include "m64p_frontend.h"

enum { VERSION = 0x010000, INPUT_API = 0x020100, LOOK_FOR_END_MS = 200 };

static int sockets[1 + PLAYERS];
static pthread_t thread;
static atomic_int running;
static do_command_fn do_command;

/* The emulator polls the pads when it wants: a thread receives the datagrams. */
static void *serve(void *unused) {
  (void)unused;
  while (running) {
    struct pollfd waiting[1 + PLAYERS];
    for (int i = 0; i <= PLAYERS; i++) waiting[i] = (struct pollfd){ .fd = sockets[i], .events = POLLIN };
    if (poll(waiting, 1 + PLAYERS, LOOK_FOR_END_MS) <= 0) continue;
    if (waiting[0].revents & POLLIN) command_receive(sockets[0], do_command);
    for (int player = 0; player < PLAYERS; player++) {
      if (waiting[player + 1].revents & POLLIN) pad_receive(sockets[player + 1], player);
    }
  }
  return NULL;
}

EXPORT m64p_error CALL PluginStartup(m64p_dynlib_handle core, void *context, void (*debug)(void *, int, const char *)) {
  (void)context;
  (void)debug;
  do_command = (do_command_fn)dlsym(core, "CoreDoCommand");
  if (do_command == NULL) return M64ERR_INCOMPATIBLE;
  sockets[0] = udp_listen(COMMAND_PORT);
  for (int player = 0; player < PLAYERS; player++) sockets[player + 1] = udp_listen(PAD_PORT + player);
  running = 1;
  return pthread_create(&thread, NULL, serve, NULL) == 0 ? M64ERR_SUCCESS : M64ERR_SYSTEM_FAIL;
}

EXPORT m64p_error CALL PluginShutdown(void) {
  running = 0;
  pthread_join(thread, NULL);
  for (int i = 0; i <= PLAYERS; i++) close(sockets[i]);
  return M64ERR_SUCCESS;
}

EXPORT m64p_error CALL PluginGetVersion(m64p_plugin_type *type, int *version, int *api, const char **name,
                                        int *capabilities) {
  if (type) *type = M64PLUGIN_INPUT;
  if (version) *version = VERSION;
  if (api) *api = INPUT_API;
  if (name) *name = "Pads over the network";
  if (capabilities) *capabilities = 0;
  return M64ERR_SUCCESS;
}

EXPORT void CALL InitiateControllers(CONTROL_INFO info) {
  for (int player = 0; player < PLAYERS; player++) {
    info.Controls[player].Present = 1;
    info.Controls[player].RawData = 0;
    info.Controls[player].Plugin = PLUGIN_MEMPAK;
  }
}

EXPORT void CALL GetKeys(int player, BUTTONS *keys) {
  command_wait_while_paused();
  pad_read(player, keys);
}

/* Required by the plugin interface; nothing to do. */
EXPORT void CALL ControllerCommand(int player, unsigned char *command) {
  (void)player;
  (void)command;
}
EXPORT void CALL ReadController(int player, unsigned char *command) {
  (void)player;
  (void)command;
}
EXPORT int CALL RomOpen(void) { return 1; }
EXPORT void CALL RomClosed(void) {}
EXPORT void CALL SDL_KeyDown(int modifiers, int key) {
  (void)modifiers;
  (void)key;
}
EXPORT void CALL SDL_KeyUp(int modifiers, int key) {
  (void)modifiers;
  (void)key;
}
