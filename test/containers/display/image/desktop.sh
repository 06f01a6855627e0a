#!/bin/sh
# X server, window manager and sound of a session, ready when /tmp/ready exists.
sh /etc/berth/x-server &
pulseaudio --daemonize=no --exit-idle-time=-1 --disallow-exit -n -F /etc/berth/pulse.pa &
until xprop -root >/dev/null 2>&1; do sleep 0.05; done
XCOMPOSEFILE=/dev/null openbox --sm-disable --config-file /etc/berth/openbox.xml &
until xprop -root _NET_SUPPORTING_WM_CHECK | grep -q window; do sleep 0.05; done
until pactl info >/dev/null 2>&1; do sleep 0.05; done
touch /tmp/ready
wait
