// Device code's <assert.h>, for NVRTC: assert is built in.
#pragma once
