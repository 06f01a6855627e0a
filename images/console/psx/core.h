/* Path of the wrapped core. */
#pragma once
#define BEETLE "/opt/berth/beetle-psx.so"
