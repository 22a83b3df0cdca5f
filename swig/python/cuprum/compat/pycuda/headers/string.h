// Device code's <string.h>, for NVRTC: memcpy and memset are built in.
#pragma once
#include "stddef.h"
