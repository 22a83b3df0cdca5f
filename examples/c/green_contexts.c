/* A green context: its streams' kernels run on a part of the device's multiprocessors. */
#include <stdint.h>
#include <string.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void where(unsigned int* numbers) {\n"
    "    unsigned int number;\n"
    "    asm(\"mov.u32 %0, %%smid;\" : \"=r\"(number));\n"
    "    numbers[blockIdx.x] = number;\n"
    "}\n";

enum { blocks = 512, most_multiprocessors = 1024 };

int main(void) {
    const cuprum_launch_config config = {.struct_size = sizeof config, .grid_x = blocks, .block_x = 1024};
    unsigned char all[CUPRUM_SM_RESOURCE_SIZE], part[CUPRUM_SM_RESOURCE_SIZE];
    const void* bytes = NULL; /* lent until the next call */
    uint64_t size = 0;
    int32_t device, all_count, part_count, least, alignment;
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel where;
    cuprum_context green;
    cuprum_stream stream;
    cuprum_buffer memory;
    cuprum_argument argument = CUPRUM_ARGUMENT_INIT;
    static uint32_t numbers[blocks];
    static char used[most_multiprocessors];
    char name[256];
    int count = 0;
    int i;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "where.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&where, code, "where"));

    must(cuprum_sm_resource_of_device(&bytes, &size, 0));
    memcpy(all, bytes, sizeof all);
    must(cuprum_sm_resource_split(&bytes, &size, all, sizeof all, 0, 1, 0)); /* as few as there can be */
    memcpy(part, bytes, sizeof part);
    must(cuprum_sm_resource_info(&device, &all_count, &least, &alignment, all, sizeof all));
    must(cuprum_sm_resource_info(&device, &part_count, &least, &alignment, part, sizeof part));
    must(cuprum_context_create(&green, 0, part, sizeof part));
    must(cuprum_context_create_stream(&stream, green, NULL));

    must(cuprum_buffer_allocate(&memory, 0, sizeof numbers, stream));
    argument.kind = CUPRUM_ARGUMENT_BUFFER;
    argument.value.buffer = memory;
    must(cuprum_launch(stream, &config, where, &argument, 1));
    must(cuprum_buffer_copy_to_host(numbers, memory, 0, sizeof numbers, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < blocks; ++i) {
        if (numbers[i] < most_multiprocessors && !used[numbers[i]]) {
            used[numbers[i]] = 1;
            ++count;
        }
    }
    printf("a kernel on %d of %d multiprocessors of %s: it used %d\n", part_count, all_count,
           device_name(name, sizeof name), count);

    must(cuprum_buffer_destroy(memory));
    must(cuprum_stream_destroy(stream));
    must(cuprum_context_destroy(green));
    must(cuprum_kernel_destroy(where));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return count > 0 && count <= part_count ? EXIT_SUCCESS : EXIT_FAILURE;
}
