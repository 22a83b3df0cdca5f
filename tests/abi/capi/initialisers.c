/* The initialisers set struct_size, and nothing else. Compiled as C99 and as C++17, and run as both. */
#include <stdio.h>
#include <string.h>

#include "cuprum/cuprum.h"

static int failed;

/* The struct's first four bytes are its size, the others zero. */
static void check(const char* name, const void* initialised, uint32_t size) {
    const unsigned char* bytes = (const unsigned char*)initialised;
    uint32_t index;
    int is_right = memcmp(bytes, &size, sizeof size) == 0;
    for (index = sizeof size; index < size; ++index) {
        is_right = is_right && bytes[index] == 0;
    }
    if (!is_right) {
        printf("%s: more or less than struct_size is set\n", name);
        ++failed;
    }
}

int main(void) {
    static const cuprum_launch_config launch_config = CUPRUM_LAUNCH_CONFIG_INIT;
    static const cuprum_stream_options stream_options = CUPRUM_STREAM_OPTIONS_INIT;
    static const cuprum_event_options event_options = CUPRUM_EVENT_OPTIONS_INIT;
    static const cuprum_array_options array_options = CUPRUM_ARRAY_OPTIONS_INIT;
    static const cuprum_texture_options texture_options = CUPRUM_TEXTURE_OPTIONS_INIT;
    static const cuprum_virtual_memory_options virtual_memory_options = CUPRUM_VIRTUAL_MEMORY_OPTIONS_INIT;
    static const cuprum_device_properties device_properties = CUPRUM_DEVICE_PROPERTIES_INIT;
    static const cuprum_kernel_attributes kernel_attributes = CUPRUM_KERNEL_ATTRIBUTES_INIT;
    static const cuprum_error_info error_info = CUPRUM_ERROR_INFO_INIT;
    static const cuprum_execution execution = CUPRUM_EXECUTION_INIT;
    static const cuprum_copy_options copy_options = CUPRUM_COPY_OPTIONS_INIT;
    static const cuprum_region region = CUPRUM_REGION_INIT;
    static const cuprum_bindings_function bindings_function = CUPRUM_BINDINGS_FUNCTION_INIT;
    static const cuprum_argument argument = CUPRUM_ARGUMENT_INIT;
    check("launch_config", &launch_config, sizeof launch_config);
    check("stream_options", &stream_options, sizeof stream_options);
    check("event_options", &event_options, sizeof event_options);
    check("array_options", &array_options, sizeof array_options);
    check("texture_options", &texture_options, sizeof texture_options);
    check("virtual_memory_options", &virtual_memory_options, sizeof virtual_memory_options);
    check("device_properties", &device_properties, sizeof device_properties);
    check("kernel_attributes", &kernel_attributes, sizeof kernel_attributes);
    check("error_info", &error_info, sizeof error_info);
    check("execution", &execution, sizeof execution);
    check("copy_options", &copy_options, sizeof copy_options);
    check("region", &region, sizeof region);
    check("bindings_function", &bindings_function, sizeof bindings_function);
    if (argument.kind != 0 || argument.size != 0 || argument.value.u64 != 0) {
        printf("argument: something is set\n");
        ++failed;
    }
    return failed == 0 ? 0 : 1;
}
