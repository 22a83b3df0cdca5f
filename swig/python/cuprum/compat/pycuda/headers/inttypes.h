// Device code's <inttypes.h>, for NVRTC: the types of <stdint.h>, and printf's letters for them.
#pragma once
#include "stdint.h"
#ifndef PRId32
#define PRId32 "d"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRId64 "lld"
#define PRIu64 "llu"
#define PRIx64 "llx"
#endif
