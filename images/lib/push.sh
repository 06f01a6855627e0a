# Publishes images in a registry; sourced by build.sh, which removes the folder $scratch in the end.
# shellcheck shell=sh disable=SC2034,SC2154

# Nothing is pushed unless choose_push says so: where to, and the builder of BuildKit's that does, if there is one.
push='' push_builder=''

# What images are published for: those of whoever runs Berth on other machines.
architectures='amd64 arm64'

# choose_push REGISTRY/PREFIX: how images get there. By a builder of BuildKit's that makes them for all architectures and
# puts them there itself; $push_builder is its name then. Otherwise as the engine has them, for its own.
choose_push() {
  case $1 in
    *[!a-z0-9./:_-]* | /* | */ | *//*) set -- "$1" invalid ;;
    */*) ;;
    *) set -- "$1" invalid ;;
  esac
  [ $# = 1 ] || fail "PUSH must be a registry and the first part of the images' names there, like registry.example.com/berth, but is \"$1\"."
  push=$1 push_builder=
  if ! described=$(docker buildx inspect --bootstrap 2>/dev/null); then
    reason='the Docker client has no BuildKit (docker buildx)'
  elif echo "$described" | grep -Eq '^Driver: +docker$'; then
    reason="the engine's own builder has the images of one architecture only"
  else
    reason=
    for architecture in $architectures; do
      echo "$described" | grep -Eq "^Platforms:.*linux/$architecture(\*|,|$)" || reason="the active builder does not run linux/$architecture"
    done
  fi
  if [ -z "$reason" ]; then
    push_builder=$(echo "$described" | sed -n 's/^Name: *//p' | head -n 1)
    platforms=$(for architecture in $architectures; do printf 'linux/%s,' "$architecture"; done)
    platforms=${platforms%,}
    # Each image is made from those before it, which the builder takes from there.
    prefix=$push
  else
    echo "berth: images are pushed for this engine's architecture, $(docker version --format '{{.Server.Arch}}'), alone: $reason. docs/how-to/images.md says how to push them for $(echo "$architectures" | sed 's/ / and /')."
  fi
}

# build_for_all NAME DOCKERFILE tar-arguments...: as build, for all architectures, into the registry.
build_for_all() {
  name=$push/$1 dockerfile=$2
  shift 2
  echo "berth: building and pushing $name for $platforms ..."
  log=$(mktemp "$scratch/XXXXXX")
  # shellcheck disable=SC2086 # $options are several, without blanks in them
  tar -c "$@" | docker buildx build --builder "$push_builder" --platform "$platforms" --push --file "$dockerfile" \
    --tag "$name:latest" --tag "$name:$(version)" --label "berth.packages-of=$packages_of" \
    --build-arg "PREFIX=$push" --build-arg "PACKAGES_OF=$packages_of" $options - >"$log" 2>&1 || not_pushed "$name" "$log"
}

# push_image NAME: pushes what the engine has, by version and as latest.
push_image() {
  name=$push/$1
  [ -n "$(image_id "$prefix/$1")" ] || fail "the image $prefix/$1 is not built: run \"make images\" first."
  log=$(mktemp "$scratch/XXXXXX")
  for tag in "$(version)" latest; do
    docker tag "$prefix/$1:latest" "$name:$tag"
    result=0
    docker push "$name:$tag" >"$log" 2>&1 || result=$?
    docker rmi "$name:$tag" >/dev/null 2>&1 || true
    [ $result = 0 ] || not_pushed "$name" "$log"
  done
  echo "berth: pushed $name:$(version)"
}

# not_pushed IMAGE LOG: ends with a sentence that says why.
not_pushed() {
  registry=${1%%/*}
  case $registry in *[.:]* | localhost) login="docker login $registry" ;; *) registry="Docker Hub" login='docker login' ;; esac
  tail -n 30 "$2" >&2
  if grep -Eiq 'no such host|dial tcp|connection refused|i/o timeout|network is unreachable|server misbehaving' "$2"; then
    reason="$registry cannot be reached: check the name of the registry, and the network."
  elif grep -Eiq 'no basic auth credentials|unauthorized|authentication required|denied|forbidden' "$2"; then
    reason="$registry does not let you: log in with \"$login\" as somebody who may push there."
  elif grep -Eiq 'x509|HTTP response to HTTPS client' "$2"; then
    reason="$registry has no TLS certificate that the engine trusts."
  else
    reason="see above."
  fi
  fail "$1 could not be pushed: $reason"
}

# The version of Berth, which images are tagged with in a registry.
version() {
  sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json
}
