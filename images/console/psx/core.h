/* Where the emulator is that plays. */
#pragma once
#define BEETLE "/opt/berth/beetle-psx.so"
