/* The names of the devices, by the C ABI. */
#include <inttypes.h>
#include <stdio.h>

#include <cuprum/cuprum.h>

static int fail(void) {
    cuprum_error_info error = {.struct_size = sizeof error};
    cuprum_error_last(&error);
    fprintf(stderr, "%s\n", error.message);
    return 1;
}

int main(void) {
    int32_t count = 0;
    if (cuprum_device_count(&count) != CUPRUM_SUCCESS) {
        return fail();
    }
    for (int32_t device = 0; device < count; ++device) {
        const char* name = NULL;
        if (cuprum_device_name(&name, device) != CUPRUM_SUCCESS) {
            return fail();
        }
        printf("%" PRId32 ": %s\n", device, name);
    }
    return 0;
}
