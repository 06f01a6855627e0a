# Chooses what builds images, sourced by build.sh.
# shellcheck shell=sh

# BuildKit where the Docker client has it, else the builder that old clients and engines have: both make the same of the
# Dockerfiles, which hold nothing that only one of them knows.
choose_builder() {
  if [ "${DOCKER_BUILDKIT:-1}" != 0 ] && docker buildx version >/dev/null 2>&1; then
    export DOCKER_BUILDKIT=1
    # The engine's own BuildKit: another builder that is in use knows none of its images, and leaves none there.
    BUILDX_BUILDER=$(docker context show 2>/dev/null || echo default)
    # An image alone, as the other builder makes it.
    export BUILDX_BUILDER BUILDX_NO_DEFAULT_ATTESTATIONS=1
  else
    export DOCKER_BUILDKIT=0
  fi
}
