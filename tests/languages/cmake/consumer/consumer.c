/* A user's C program: asks the device for its name. */
#include <stdio.h>

#include <cuprum/cuprum.h>

int main(void) {
    const char* name = NULL;
    if (cuprum_device_name(&name, 0) != CUPRUM_SUCCESS) {
        cuprum_error_info error = {0};
        error.struct_size = sizeof error;
        cuprum_error_last(&error);
        printf("%s\n", error.message);
        return 1;
    }
    printf("%s: ok\n", name);
    return 0;
}
