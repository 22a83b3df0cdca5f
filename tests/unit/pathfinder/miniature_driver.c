/* The three functions by which a driver is recognised, with the answers that CMakeLists.txt chooses. */
enum { SUCCESS = 0, NOT_INITIALIZED = 3, STUB_LIBRARY = 34, NO_DEVICE = 100 };

static int initialised = 0;

int cuDriverGetVersion(int* version) {
#if defined(STUB_DRIVER)
    (void)version;
    return STUB_LIBRARY;
#else
    *version = 13000;
    return SUCCESS;
#endif
}

int cuInit(unsigned flags) {
    (void)flags;
#if defined(STUB_DRIVER)
    return STUB_LIBRARY;
#elif defined(DRIVER_WITHOUT_DEVICE)
    return NO_DEVICE;
#else
    initialised = 1;
    return SUCCESS;
#endif
}

int cuDeviceGetCount(int* count) {
    *count = initialised;
    return initialised ? SUCCESS : NOT_INITIALIZED;
}
