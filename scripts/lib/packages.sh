# Sourced by other scripts: installs system packages with apt.
# shellcheck shell=sh

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "berth: this needs root: install sudo or run it as root: $*" >&2
    return 1
  fi
}

# packages NAME...: installs Debian packages, and says so.
packages() {
  if ! command -v apt-get >/dev/null; then
    echo "berth: cannot install $* without apt-get; install their equivalents yourself and try again." >&2
    return 1
  fi
  echo "berth: installing the packages $* with apt ..."
  as_root apt-get update -qq || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null || {
    echo "berth: apt-get could not install $*; check the package sources (/etc/apt) and the network, then try again." >&2
    return 1
  }
}
