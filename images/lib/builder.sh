# Selects the image builder; sourced by build.sh.
# shellcheck shell=sh

# BuildKit if the Docker client has it, else the legacy builder: both produce the same from the Dockerfiles, which use
# no features specific to one of them.
choose_builder() {
  if [ "${DOCKER_BUILDKIT:-1}" != 0 ] && docker buildx version >/dev/null 2>&1; then
    export DOCKER_BUILDKIT=1
    # The engine's own BuildKit: another active builder has none of the engine's images, and stores none there.
    BUILDX_BUILDER=$(docker context show 2>/dev/null || echo default)
    # Without attestations, as the legacy builder makes it.
    export BUILDX_BUILDER BUILDX_NO_DEFAULT_ATTESTATIONS=1
  else
    export DOCKER_BUILDKIT=0
  fi
}
