// Device code's <time.h>, for NVRTC: clock and clock64 are built in.
#pragma once
