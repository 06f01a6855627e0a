#!/bin/bash
# with-engine.sh [--as-is] COMMAND...: sees to a Docker engine (--as-is: takes it as it is, running or not), then
# becomes the command with the right to use it.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$1" = --as-is ]; then shift; else scripts/engine.sh start; fi
if docker info >/dev/null 2>&1; then exec "$@"; fi
# Where membership of the group docker is new, this login does not have it yet.
if getent group docker | cut -d: -f4 | tr , '\n' | grep -qx "$(id -un)"; then
  exec sg docker -c "exec $(printf '%q ' "$@")"
fi
exec "$@"
