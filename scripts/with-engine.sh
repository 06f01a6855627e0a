#!/bin/bash
# with-engine.sh COMMAND...: sees to a Docker engine, then becomes the command with the right to use it.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/engine.sh start
if docker info >/dev/null 2>&1; then exec "$@"; fi
# Membership of the group docker is new: this login does not have it yet.
exec sg docker -c "exec $(printf '%q ' "$@")"
