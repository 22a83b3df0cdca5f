/* As much of the C library as the CUDA headers need to be parsed, the same on every machine. */
#ifndef CUPRUM_GENERATOR_LIMITS_H
#define CUPRUM_GENERATOR_LIMITS_H
#define UINT_MAX 0xffffffffU
#define INT_MAX 0x7fffffff
#define INT_MIN (-INT_MAX - 1)
#endif
