#!/bin/bash
# with-engine.sh [--as-is | --try] COMMAND...: provides a Docker engine, then executes the command with access to it.
# --as-is takes the engine as it is, running or not; --try continues if it cannot be started.
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
# If membership of the group docker is new, this login session does not have it yet.
if getent group docker | cut -d: -f4 | tr , '\n' | grep -qx "$(id -un)"; then
  exec sg docker -c "exec $(printf '%q ' "$@")"
fi
exec "$@"
