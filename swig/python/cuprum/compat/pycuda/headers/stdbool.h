// Device code's <stdbool.h>, for NVRTC: bool is C++'s.
#pragma once
