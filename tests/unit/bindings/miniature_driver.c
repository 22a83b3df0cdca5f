/* A driver in miniature, in the three ages of symbol look-up that there are:
 *   cuGetProcAddress_v2 (CUDA 12), cuGetProcAddress (11.3 to 11.8), only exported symbols (before).
 * DRIVER_VERSION says which. It knows cuInit, cuDriverGetVersion, cuMemAlloc in two signatures and cuDeviceGetCount,
 * and writes down what it was asked for. */
#include <stddef.h>
#include <string.h>

enum { SUCCESS = 0, INVALID_VALUE = 1, NOT_FOUND = 500 };
enum { FOUND = 0, SYMBOL_NOT_FOUND = 1, VERSION_NOT_SUFFICIENT = 2 };

int miniature_requests = 0;
__thread char miniature_last_query[64];
__thread int miniature_last_version = 0;
__thread unsigned long long miniature_last_flags = 99;

int cuInit(unsigned flags) {
    return flags == 0 ? SUCCESS : INVALID_VALUE;
}

int cuDriverGetVersion(int* version) {
    *version = DRIVER_VERSION;
    return SUCCESS;
}

int cuDeviceGetCount(int* count) {
    *count = 7;
    return SUCCESS;
}

/* The signature of CUDA 2.0, with 32-bit addresses. */
int cuMemAlloc(unsigned* address, unsigned bytes) {
    *address = bytes;
    return INVALID_VALUE;
}

int cuMemAlloc_v2(unsigned long long* address, size_t bytes) {
    *address = 0xFFFFFFFF00000000ull + bytes;
    return SUCCESS;
}

#if DRIVER_VERSION >= 11030
static int look_up(const char* query, void** function, int version, unsigned long long flags, int* found) {
    static const struct {
        const char* name;
        int since;
        int (*function)(void);
    } known[] = {
        {"cuInit", 2000, (int (*)(void))cuInit},
        {"cuDriverGetVersion", 2020, (int (*)(void))cuDriverGetVersion},
        {"cuDeviceGetCount", 2000, (int (*)(void))cuDeviceGetCount},
        {"cuMemAlloc", 3020, (int (*)(void))cuMemAlloc_v2},
        {"cuMemAlloc", 2000, (int (*)(void))cuMemAlloc},
    };
    size_t i;
    int name_is_known = 0;
    __atomic_fetch_add(&miniature_requests, 1, __ATOMIC_RELAXED);
    strncpy(miniature_last_query, query, sizeof miniature_last_query - 1);
    miniature_last_version = version;
    miniature_last_flags = flags;
    *function = NULL;
    for (i = 0; i < sizeof known / sizeof known[0]; ++i) {
        if (strcmp(query, known[i].name) == 0) {
            name_is_known = 1;
            if (known[i].since <= version && version <= DRIVER_VERSION) {
                memcpy(function, &known[i].function, sizeof *function);
                *found = FOUND;
                return SUCCESS;
            }
        }
    }
    *found = name_is_known ? VERSION_NOT_SUFFICIENT : SYMBOL_NOT_FOUND;
    return NOT_FOUND;
}
#endif

#if DRIVER_VERSION >= 12000
int cuGetProcAddress_v2(const char* query, void** function, int version, unsigned long long flags, int* found) {
    return look_up(query, function, version, flags, found);
}
#elif DRIVER_VERSION >= 11030
int cuGetProcAddress(const char* query, void** function, int version, unsigned long long flags) {
    int found;
    return look_up(query, function, version, flags, &found);
}
#endif
