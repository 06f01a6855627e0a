#!/bin/sh
# Usage: start.sh <width>x<height> <argument of chromium>...
set -eu
size=$1
shift
export DISPLAY=:1 HOME=/tmp
Xtigervnc :1 -geometry "$size" -depth 24 -rfbport 5901 -SecurityTypes None -AlwaysShared -localhost &
while ! [ -S /tmp/.X11-unix/X1 ]; do sleep 0.05; done
openbox --sm-disable --config-file /opt/novnc/openbox.xml &
websockify --web /usr/share/novnc 6080 localhost:5901 &
exec chromium "$@"
