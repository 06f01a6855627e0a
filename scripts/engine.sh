#!/bin/bash
# Provides a Docker engine.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh
data=${BERTH_DATA_DIR:-.berth}
note=$data/engine
log=$data/dockerd.log

fail() {
  echo "berth: $1" >&2
  exit 1
}

answers() { timeout 10 docker info >/dev/null 2>&1; }

# The user cannot access the socket but root can.
only_for_root() {
  [ "$(id -u)" = 0 ] && return 1
  case "$(docker info 2>&1 || true)" in *'permission denied'*) return 0 ;; esac
  return 1
}

wait_for_engine() { # seconds
  local end=$((SECONDS + $1))
  until as_root docker info >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.3
  done
}

write_note() {
  mkdir -p "$data"
  echo "$1" >"$note"
}

start_daemon() {
  if [ -d /run/systemd/system ]; then
    echo 'berth: starting Docker with systemd ...'
    write_note systemd
    as_root systemctl start docker && wait_for_engine 60 && return
    fail 'Docker did not start; see: journalctl -u docker'
  fi
  echo "berth: starting dockerd (log: $log) ..."
  mkdir -p "$data"
  : >"$log"
  mount_cgroups
  as_root setsid dockerd --pidfile /var/run/docker.pid >>"$log" 2>&1 </dev/null &
  disown
  write_note dockerd
  wait_for_engine 60 && return
  tail -n 15 "$log" >&2
  rm -f "$note"
  fail "Docker did not start; the end of $log is above."
}

# Without a service manager nobody has mounted the cgroups.
mount_cgroups() {
  [ -e /sys/fs/cgroup/cgroup.controllers ] || [ -d /sys/fs/cgroup/memory ] && return
  as_root mount -t cgroup2 none /sys/fs/cgroup || true
}

join_group() {
  if ! command -v sg >/dev/null || ! getent group docker >/dev/null; then
    fail 'Docker refuses this user; run as root.'
  fi
  if ! getent group docker | cut -d: -f4 | tr , '\n' | grep -qx "$(id -un)"; then
    echo "berth: adding $(id -un) to the group docker, which may use the engine ..."
    as_root usermod -aG docker "$(id -un)"
  fi
}

# Optional for building images. Not every release of Debian has it.
add_buildkit() {
  docker buildx version >/dev/null 2>&1 || [ -z "$(apt-cache show docker-buildx 2>/dev/null)" ] || packages docker-buildx || true
}

start() {
  if [ -n "${DOCKER_HOST:-}" ]; then
    command -v docker >/dev/null || packages docker.io
    answers || fail "no Docker engine answers at DOCKER_HOST=$DOCKER_HOST; start it there or unset DOCKER_HOST."
    return
  fi
  if command -v docker >/dev/null && answers; then return; fi
  if ! command -v dockerd >/dev/null; then
    packages docker.io || fail 'Docker is missing; install Docker 20.10 or newer and repeat.'
    add_buildkit
    # Installing the package may have started it.
    if [ -d /run/systemd/system ]; then write_note systemd; fi
  fi
  # Newer Debian releases have the client in a separate package.
  command -v docker >/dev/null || packages docker-cli
  if ! answers && ! only_for_root; then start_daemon; fi
  if only_for_root; then join_group; fi
}

stop() {
  [ -e "$note" ] || return 0
  local how running
  how=$(cat "$note")
  running=$(as_root docker ps -q 2>/dev/null | wc -l)
  if [ "$running" -gt 0 ] || [ -e "$data/service.pid" ]; then
    echo 'berth: leaving Docker running, since it is in use.'
    return 0
  fi
  rm -f "$note"
  echo 'berth: stopping Docker, which was started for Berth ...'
  if [ "$how" = systemd ]; then
    as_root systemctl stop docker.socket docker
    return
  fi
  local pid
  pid=$(cat /var/run/docker.pid 2>/dev/null) || return 0
  as_root kill "$pid" 2>/dev/null || return 0
  for _ in $(seq 100); do
    as_root kill -0 "$pid" 2>/dev/null || return 0
    sleep 0.2
  done
  fail "dockerd (process $pid) did not stop; end it with: kill -9 $pid"
}

case "${1:-}" in
  start | stop) "$1" ;;
  *) fail 'usage: engine.sh start|stop' ;;
esac
