/* Sorting data in host memory that is larger than the device's memory that the sort may take: it goes through in
 * pieces. */
#include <stdint.h>

#include "example.h"

enum { limit = 1 << 20, n = 2 * limit / 4 }; /* bytes; twice as much */

/* Page-locked, so that copies in both directions and kernels run at once. */
static int32_t* allocate(cuprum_memory_resource page_locked, cuprum_buffer* buffer) {
    uint64_t address = 0;
    must(cuprum_memory_resource_allocate(buffer, page_locked, n * sizeof(int32_t), NULL));
    must(cuprum_buffer_host_address(&address, *buffer));
    return (int32_t*)(uintptr_t)address;
}

int main(void) {
    const uint64_t size = n * sizeof(int32_t);
    const cuprum_device_memory device = {0, limit, NULL}; /* of several devices: an array */
    cuprum_memory_resource page_locked;
    cuprum_buffer memory, target_memory;
    cuprum_parallel_operator maximum;
    cuprum_out_of_core_algorithm reduce, sort;
    int32_t *numbers, *target, largest = 0;
    int i, ok = 1;
    must(cuprum_memory_resource_create_legacy_pinned(&page_locked));
    numbers = allocate(page_locked, &memory);
    target = allocate(page_locked, &target_memory);
    for (i = 0; i < n; ++i) {
        numbers[i] = n - 1 - i;
    }

    must(cuprum_parallel_operator_create(&maximum, "maximum", NULL, NULL, 0));
    must(cuprum_out_of_core_reduce_build(&reduce, &device, sizeof device, "int32", maximum, "int32"));
    must(cuprum_out_of_core_reduce(reduce, numbers, size, &largest, sizeof largest, NULL, 0));
    must(cuprum_out_of_core_radix_sort_build(&sort, &device, sizeof device, CUPRUM_SORT_ASCENDING, "int32", NULL));
    /* The sorted runs may overwrite the input. */
    must(cuprum_out_of_core_radix_sort(sort, numbers, size, target, size, numbers, size, NULL, 0, NULL, 0, NULL, 0));

    for (i = 0; i < n; ++i) {
        ok = ok && target[i] == i;
    }
    ok = ok && largest == n - 1;
    printf("%d bytes sorted with %d of the device: %s\n", (int)size, (int)limit, ok ? "ok" : "WRONG");
    must(cuprum_out_of_core_algorithm_destroy(sort));
    must(cuprum_out_of_core_algorithm_destroy(reduce));
    must(cuprum_parallel_operator_destroy(maximum));
    must(cuprum_buffer_destroy(target_memory));
    must(cuprum_buffer_destroy(memory));
    must(cuprum_memory_resource_destroy(page_locked));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
