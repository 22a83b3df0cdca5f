/* As much of the C library as the CUDA headers need to be parsed, the same on every machine. */
#ifndef CUPRUM_GENERATOR_STDDEF_H
#define CUPRUM_GENERATOR_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#define NULL ((void*)0)
#endif
