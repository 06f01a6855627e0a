#!/bin/sh
# Usage: start.sh <width>x<height> <program> <argument>...
set -eu
size=$1
shift
export DISPLAY=:1 HOME=/tmp
Xtigervnc :1 -geometry "$size" -depth 24 -rfbport 5901 -SecurityTypes None -AlwaysShared -localhost &
# Wait until it accepts VNC connections; 170D is port 5901.
while ! grep -q ':170D 0' /proc/net/tcp; do sleep 0.05; done
openbox --sm-disable --config-file /opt/novnc/openbox.xml &
websockify --web /usr/share/novnc 6080 localhost:5901 &
exec "$@"
