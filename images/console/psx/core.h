/* Path of the wrapped core, and of the folder with the states that skip the BIOS's shell. */
#pragma once
#define BEETLE "/opt/berth/beetle-psx.so"
#define SHELL_STATES "/opt/berth/psx"
