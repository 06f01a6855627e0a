# Gets the scrcpy server for Android's images; sourced by build.sh.
# shellcheck shell=sh disable=SC2154

# scrcpy's own release 3.3.3, the newest one that the agent's library speaks to, and an npm package that holds it.
scrcpy_sha256=7e70323ba7f259649dd4acce97ac4fefbae8102b2c6d91e2e7be613fd5354be0
scrcpy_package=@midscene/android@1.7.3

# scrcpy_server FOLDER: puts it there as scrcpy-server, from the file or address BERTH_SCRCPY_SERVER, or the package,
# which is fetched once and kept in .cache/.
scrcpy_server() {
  source=${BERTH_SCRCPY_SERVER:-}
  case $source in
    '')
      kept=.cache/scrcpy-server-$scrcpy_sha256
      if [ ! -f "$kept" ]; then
        archive=$(cd "$1" && npm pack --silent --loglevel=error "$scrcpy_package" | tail -n 1)
        [ -n "$archive" ] ||
          fail "the package $scrcpy_package, which holds the scrcpy server, cannot be fetched; set BERTH_SCRCPY_SERVER to the file or its address."
        tar -xzOf "$1/$archive" package/bin/scrcpy-server >"$1/scrcpy-server"
        rm "$1/$archive"
        check_scrcpy_server "$1/scrcpy-server"
        mkdir -p .cache
        mv "$1/scrcpy-server" "$kept"
      fi
      cp "$kept" "$1/scrcpy-server"
      ;;
    http://* | https://*)
      node -e '
        fetch(process.argv[1]).then(async answer => {
          if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
          require("fs").writeFileSync(process.argv[2], Buffer.from(await answer.arrayBuffer()));
        })' "$source" "$1/scrcpy-server"
      ;;
    *)
      [ -f "$source" ] || fail "BERTH_SCRCPY_SERVER must be an address or a file, but \"$source\" is neither."
      cp "$source" "$1/scrcpy-server"
      ;;
  esac
  check_scrcpy_server "$1/scrcpy-server"
}

check_scrcpy_server() { # file
  echo "$scrcpy_sha256  $1" | sha256sum --check --status ||
    fail "the scrcpy server is not that of release 3.3.3: its SHA-256 must be $scrcpy_sha256."
}
