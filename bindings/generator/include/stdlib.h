/* As much of the C library as the CUDA headers need to be parsed, the same on every machine. */
#include <stddef.h>
