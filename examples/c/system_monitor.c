/* A GPU as NVML sees it: its memory, temperature, power and clocks, and that it counts the memory of this program. */
#include <stdint.h>

#include "example.h"

enum { size = 64 << 20 };

static uint64_t used_memory(int32_t gpu) {
    uint64_t total = 0, free = 0, used = 0, reserved = 0;
    must(cuprum_system_device_memory_info(&total, &free, &used, &reserved, gpu));
    return used;
}

static cuprum_buffer allocated(uint64_t bytes) {
    cuprum_buffer buffer;
    must(cuprum_buffer_allocate(&buffer, 0, bytes, NULL));
    return buffer;
}

int main(void) {
    int32_t gpu = 0, count = 0, cuda = -1, temperature = 0;
    uint32_t power = 0, clock = 0, most = 0;
    uint64_t before, grown;
    cuprum_buffer buffer;
    char name[256];
    int right;

    must(cuprum_buffer_destroy(allocated(4))); /* the device is in use from here on */
    must(cuprum_system_device_of_cuda(&gpu, 0));
    before = used_memory(gpu);
    buffer = allocated(size);
    grown = used_memory(gpu) - before;
    must(cuprum_buffer_destroy(buffer));

    must(cuprum_system_device_count(&count));
    must(cuprum_system_device_cuda(&cuda, gpu));
    must(cuprum_system_device_temperature(&temperature, gpu));
    must(cuprum_system_device_power_usage(&power, gpu));
    must(cuprum_system_device_clock(&clock, gpu, CUPRUM_CLOCK_SM));
    must(cuprum_system_device_max_clock(&most, gpu, CUPRUM_CLOCK_SM));
    right = grown >= size && cuda == 0 && clock <= most;
    printf("%s: %u MiB more, %d degrees, %u W, %u MHz, one of %d: %s\n", device_name(name, sizeof name),
           (unsigned)(grown >> 20), (int)temperature, (unsigned)(power / 1000), (unsigned)clock, (int)count,
           right ? "right" : "wrong");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
