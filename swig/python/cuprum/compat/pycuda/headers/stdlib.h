// Device code's <stdlib.h>, for NVRTC: malloc, free and abs are built in.
#pragma once
#ifndef EXIT_SUCCESS
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#endif
#ifndef RAND_MAX
#define RAND_MAX 2147483647
#endif
#include "stddef.h"
