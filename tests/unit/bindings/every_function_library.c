/* A library that exports every function of one list under its symbol; each gives 4711. LIST names the list. */
#include <cuda.h>

#define CUPRUM_FUNCTION(identifier, name, query, symbol, version, per_thread, result, parameters, arguments, \
                        signature)                                                                           \
    int every_##identifier(void) __asm__(symbol);                                                            \
    int every_##identifier(void) {                                                                           \
        return 4711;                                                                                         \
    }
#include LIST
