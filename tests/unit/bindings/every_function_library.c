/* A library that exports every function of one list under its symbol; each gives RESULT, and gives way to one of the
 * same name in another source. LIST names the list. */
#include <cuda.h>

#ifndef RESULT
#define RESULT 4711
#endif

#define CUPRUM_FUNCTION(identifier, name, query, symbol, version, per_thread, result, parameters, arguments, \
                        signature)                                                                           \
    int every_##identifier(void) __asm__(symbol);                                                            \
    __attribute__((weak)) int every_##identifier(void) {                                                     \
        return RESULT;                                                                                       \
    }
#include LIST
