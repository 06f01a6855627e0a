#!/bin/bash
# with-engine.sh [--as-is | --try] COMMAND...: sees to a Docker engine, then becomes the command with the right to
# use it. --as-is takes the engine as it is, running or not; --try goes on where it cannot be started.
set -euo pipefail
cd "$(dirname "$0")/.."
case "$1" in
  --as-is) shift ;;
  --try)
    shift
    scripts/engine.sh start || true
    ;;
  *) scripts/engine.sh start ;;
esac
if docker info >/dev/null 2>&1; then exec "$@"; fi
# Where membership of the group docker is new, this login does not have it yet.
if getent group docker | cut -d: -f4 | tr , '\n' | grep -qx "$(id -un)"; then
  exec sg docker -c "exec $(printf '%q ' "$@")"
fi
exec "$@"
