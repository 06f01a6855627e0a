#include "encode/encoder-process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/clock.h"

extern char **environ;

static bool spawn(struct encoder_process *process, char *const *command, int program_end) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  /* Messages for the agent go through the helper's standard output: no driver may write into them. */
  bool prepared = posix_spawn_file_actions_adddup2(&actions, program_end, STDIN_FILENO) == 0 &&
                  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
                  posix_spawn_file_actions_adddup2(&actions, process->memory_fd, ENCODER_MEMORY) == 0 &&
                  posix_spawn_file_actions_addclosefrom_np(&actions, ENCODER_MEMORY + 1) == 0;
  bool spawned = prepared && posix_spawnp(&process->pid, command[0], &actions, NULL, command, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  return spawned;
}

bool encoder_process_start(struct encoder_process *process, char *const *command) {
  *process = (struct encoder_process){ .pid = -1, .socket = -1, .memory_fd = -1 };
  int ends[2];
  /* The helper has no other children and waits for none: they must not become zombies. */
  signal(SIGCHLD, SIG_IGN);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return false;
  process->socket = ends[0];
  process->memory_fd = memfd_create("berth-encoder", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  /* Otherwise the program could truncate the memory while the helper uses it. */
  bool ready = process->memory_fd >= 0 && fcntl(process->memory_fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0 &&
               fcntl(process->socket, F_SETFL, O_NONBLOCK) == 0 && spawn(process, command, ends[1]);
  close(ends[1]);
  if (!ready) encoder_process_end(process);
  return ready;
}

bool encoder_process_reserve(struct encoder_process *process, size_t size) {
  if (process->memory_size >= size) return true;
  if (ftruncate(process->memory_fd, (off_t)size) < 0) return false;
  uint8_t *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, process->memory_fd, 0);
  if (memory == MAP_FAILED) return false;
  if (process->memory) munmap(process->memory, process->memory_size);
  process->memory = memory;
  process->memory_size = size;
  return true;
}

/* Waits until the socket is ready. */
static bool wait_for(struct encoder_process *process, short events, int64_t deadline) {
  struct pollfd socket = { .fd = process->socket, .events = events };
  int64_t left = deadline - now_us();
  int ready = left <= 0 ? 0 : poll(&socket, 1, (int)(left / 1000 + 1));
  process->late = ready == 0;
  return ready > 0 || (ready < 0 && errno == EINTR);
}

static bool may_retry(void) {
  return errno == EAGAIN || errno == EINTR;
}

bool encoder_process_send(struct encoder_process *process, const void *bytes, size_t size, int64_t deadline) {
  for (const uint8_t *at = bytes; size > 0;) {
    ssize_t sent = send(process->socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && (!may_retry() || !wait_for(process, POLLOUT, deadline))) return false;
    if (sent > 0) at += sent, size -= (size_t)sent;
  }
  return true;
}

bool encoder_process_receive(struct encoder_process *process, void *bytes, size_t size, int64_t deadline) {
  for (uint8_t *at = bytes; size > 0;) {
    ssize_t received = recv(process->socket, at, size, 0);
    if (received == 0) return false;
    if (received < 0 && (!may_retry() || !wait_for(process, POLLIN, deadline))) return false;
    if (received > 0) at += received, size -= (size_t)received;
  }
  return true;
}

void encoder_process_end(struct encoder_process *process) {
  if (process->socket >= 0) close(process->socket);
  if (process->memory) munmap(process->memory, process->memory_size);
  if (process->memory_fd >= 0) close(process->memory_fd);
  if (process->pid > 0) kill(process->pid, SIGKILL);
  *process = (struct encoder_process){ .pid = -1, .socket = -1, .memory_fd = -1 };
}
